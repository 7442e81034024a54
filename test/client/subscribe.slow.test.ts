import { testSubscriptions } from '../support/http/client-subscriptions.js';

testSubscriptions('no front thread', ['--front-threads', '0'], 150);
testSubscriptions('--native off', ['--native', 'off'], 150);
