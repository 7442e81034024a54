// Any number of front threads, including none, gives the same responses.
import { testFrontThreads } from '../support/nodes/front-threads.js';

testFrontThreads(0, 'SIGINT');
testFrontThreads(2, 'SIGTERM');
