import { PacedWork } from '../async/paced-work.js';
import { rpcMethods } from '../ledger/rpc-codecs.js';
import { Access, type AccessMemory } from '../rpc/access/access.js';
import type { Question } from '../rpc/front/front-messages.js';
import { bindNodeRpcV1 } from '../rpc/front-end.js';
import type { MethodHandlers } from '../rpc/handlers.js';
import type { HttpServer } from '../rpc/http/http-server.js';
import { openHttpServer } from '../rpc/http/open-http-server.js';
import { pendingAccountsMethod } from '../rpc/methods/accounts.js';
import { bindDevV1, type DevHandlers, guardedDevHandlers } from '../rpc/methods/dev.js';
import type { RenderedMetrics } from '../rpc/metrics/node-metrics.js';
import { accessRules } from './access-rules.js';
import { createFrontEnd } from './create-front-end.js';
import type { NodeContext } from './node-context.js';
import type { OpenedTokens } from './open-tokens.js';

export interface ListenerParts {
  readonly handlers: MethodHandlers;
  /** See `RunningServices.controls`. */
  readonly controls: () => DevHandlers | undefined;
  readonly tokens: OpenedTokens;
  readonly accessMemory: AccessMemory;
}

/** Takes requests, on the front threads or on the main thread. @throws HttpServerError */
export async function openListener(
  { config, log, report, metrics, tracing, mainThreadWork, events, front, results }: NodeContext,
  { handlers, controls, tokens, accessMemory }: ListenerParts,
): Promise<Pick<HttpServer, 'host' | 'port' | 'stop'>> {
  const devHandlers = guardedDevHandlers(controls);
  if (front !== undefined) {
    const { threads } = front;
    const page = new PacedWork(async () => metrics.render(await threads.counts()));
    const port = await threads.listen({
      interfaces: [
        bindNodeRpcV1(rpcMethods, handlers),
        bindDevV1(devHandlers),
        [pendingAccountsMethod(mainThreadWork.work, (addresses) => front.accounts(addresses))],
      ],
      calls: (pool) => front.calls(pool),
      poolFeed: () => front.poolFeed,
      answer: (question) => answerQuestion(question, tokens, page),
      scheduler: mainThreadWork,
      beforeAnswers: () => front.onPoolChanged(),
    });
    return { host: config.host, port, stop: (graceMs) => threads.stop(graceMs) };
  }
  const { addresses } = tokens;
  const access = await Access.open({
    dataDirectory: config.dataDir,
    rules: accessRules(config),
    memory: accessMemory,
    service: tokens.manager,
    usage: tokens.usage,
    sharedAddresses: addresses === undefined ? undefined : { reports: addresses, threads: 1 },
    log,
  });
  const page = new PacedWork(() => metrics.render());
  let server: HttpServer | undefined;
  const frontEnd = await createFrontEnd({
    config,
    log,
    access,
    handlers,
    results,
    work: mainThreadWork.work,
    tracing,
    threads: 1,
    port: () => server?.port ?? config.port,
    metrics: metrics.rpc,
    renderMetrics: () => page.result(),
    devHandlers,
    hasControls: () => controls() !== undefined,
  });
  events.attach(frontEnd.events);
  const { host, port } = config;
  const opened = await openHttpServer({ host, port, ...frontEnd.httpOptions }, config.native, report);
  server = opened;
  return {
    host: opened.host,
    port: opened.port,
    stop: async (graceMs) => {
      await opened.stop(graceMs);
      await access.close();
    },
  };
}

async function answerQuestion(
  question: Question,
  { manager, usage, addresses }: OpenedTokens,
  page: PacedWork<RenderedMetrics>,
): Promise<unknown> {
  switch (question.kind) {
    case 'metrics':
      return page.result();
    case 'open_token':
      return manager.open(question.token);
    case 'refill_token':
      return manager.refill(question.id, question.price);
    case 'report_addresses':
      return addresses?.report(question.uses);
    case 'report_usage':
      return usage.report(question.usage);
    case 'lease_rate':
      return manager.lease(question.id, question.price);
  }
}
