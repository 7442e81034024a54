// The Kubernetes example.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { memoryBudget } from '../../src/cli/node/doctor/machine.js';
import { OPTIONS } from '../../src/config/options.js';
import { packageRoot, packageVersion } from '../../src/config/package-info.js';
import { TokenFiles } from '../../src/rpc/access/token-files.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { configFrom, deployFile } from '../support/operations/deploy-files.js';

type Labels = Readonly<Record<string, string>>;
interface Named {
  readonly name: string;
}
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly tcpSocket?: { readonly port: string };
}
interface Variable extends Named {
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface InitContainer {
  readonly image: string;
  readonly command: readonly string[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[];
}
interface Container {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: {
    readonly requests: { readonly memory: string };
    readonly limits: { readonly memory: string };
  };
  readonly securityContext: unknown;
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[];
}
interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly initContainers?: readonly InitContainer[];
  readonly containers: readonly [Container];
  readonly volumes: readonly (Named & { readonly secret?: { readonly secretName: string } })[];
}
interface StatefulSet {
  readonly kind: 'StatefulSet';
  readonly metadata: Named;
  readonly spec: {
    readonly serviceName: string;
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly volumeClaimTemplates: readonly { readonly metadata: Named }[];
  };
}
interface Service {
  readonly kind: 'Service';
  readonly metadata: Named;
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

const text = deployFile('kubernetes.yaml');
const ignore = () => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** As the comment at the top of the file writes it. */
const QUOTA_STORE = 'redis://:PASSWORD@redis:6379/0';
const documents = parseAllDocuments(text);
const objects = (Array.isArray(documents) ? documents : []).map(
  (document) => document.toJS() as StatefulSet | Service,
);
const sets = objects.filter((each): each is StatefulSet => each.kind === 'StatefulSet');
const services = objects.filter((each): each is Service => each.kind === 'Service');

describe('kubernetes.yaml', () => {
  test('parses, as two services, a node that seals and followers', () => {
    for (const { errors, warnings } of documents as readonly { errors: unknown[]; warnings: unknown[] }[]) {
      assert.deepEqual([...errors, ...warnings], []);
    }
    assert.deepEqual(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ['Service heddle', 'Service heddle-rpc', 'StatefulSet heddle', 'StatefulSet heddle-follower'],
    );
    // Two nodes with one key would seal two chains.
    assert.equal(sets[0]?.spec.replicas, 1);
    assert.ok((sets[1]?.spec.replicas ?? 0) > 1);
  });

  for (const { metadata, spec } of sets) {
    const pod = spec.template.spec;
    const [container] = pod.containers;

    test(`${metadata.name} has services and labels that fit`, () => {
      assert.deepEqual(spec.template.metadata.labels, spec.selector.matchLabels);
      const service = services.find(({ metadata: { name } }) => name === spec.serviceName);
      assert.deepEqual(service?.spec.selector, spec.selector.matchLabels);
      const names = container.ports.map(({ name }) => name);
      for (const { port, targetPort } of service?.spec.ports ?? []) {
        assert.equal(port, OPTIONS.port.default);
        assert.ok(names.includes(targetPort));
      }
    });

    test(`${metadata.name} has a valid configuration`, () => {
      const environment = environmentOf(container);
      // The trust anchor has to be a file that is there.
      const trust = environment['HEDDLE_TRUST'] === undefined ? {} : { HEDDLE_TRUST: 'dev' };
      const config = configFrom({ ...environment, ...trust });
      assert.deepEqual(
        container.ports.map(({ containerPort }) => containerPort),
        [config.port],
      );
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
      for (const path of [
        config.dataDir,
        config.genesisFile,
        config.validatorKeyFile,
        environment['HEDDLE_TRUST'],
      ]) {
        if (path === undefined) continue;
        assert.ok(
          mounts.some((mount) => path.startsWith(`${mount}/`)),
          `${path} is not mounted`,
        );
      }
      const { limits, requests } = container.resources;
      assert.ok(gibibytes(requests.memory) * 2 ** 30 >= memoryBudget(config));
      assert.ok(gibibytes(limits.memory) > gibibytes(requests.memory));
    });

    test(`${metadata.name} probes the paths of the node`, () => {
      const routes = readFileSync(join(packageRoot(), 'src/rpc/routes.ts'), 'utf8');
      for (const [probe, path] of [
        [container.startupProbe, '/health'],
        [container.readinessProbe, '/ready'],
      ] as const) {
        assert.deepEqual(probe.httpGet, { path, port: 'rpc' });
        assert.ok(routes.includes(`\`\${baseUrl}${path}\``), `the node has no ${path}`);
      }
      // /health fails while the next block is overdue, and a restart of every node at once would not bring it.
      const { httpGet, tcpSocket } = container.livenessProbe;
      assert.deepEqual({ httpGet, tcpSocket }, { httpGet: undefined, tcpSocket: { port: 'rpc' } });
    });

    test(`${metadata.name} runs without privileges, and without variables of services`, () => {
      assert.equal(pod.enableServiceLinks, false);
      assert.ok(pod.terminationGracePeriodSeconds >= 5);
      const { runAsNonRoot, runAsUser, fsGroupChangePolicy, seccompProfile } = pod.securityContext;
      assert.deepEqual([runAsNonRoot, fsGroupChangePolicy], [true, 'OnRootMismatch']);
      assert.deepEqual(seccompProfile, { type: 'RuntimeDefault' });
      assert.match(deployFile('Containerfile'), new RegExp(`^USER ${runAsUser}:`, 'm'));
      for (const { securityContext, image } of [container, ...(pod.initContainers ?? [])]) {
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.equal(image, `heddle:${packageVersion()}`);
      }
    });

    test(`${metadata.name} mounts volumes that it has`, () => {
      const claims = spec.volumeClaimTemplates.map(({ metadata: { name } }) => name);
      const volumes = [...claims, ...pod.volumes.map(({ name }) => name)].sort();
      const mounts = [container, ...(pod.initContainers ?? [])].flatMap((each) => each.volumeMounts);
      assert.deepEqual([...new Set(mounts.map(({ name }) => name))].sort(), volumes);
    });
  }
});

describe('the followers of kubernetes.yaml', () => {
  const pod = sets[1]?.spec.template.spec ?? assert.fail();
  const [container] = pod.containers;
  const created = /create secret generic heddle-fleet(.+)$/m.exec(text)?.[1] ?? '';

  test('share balances, and trust the proxy if the comments are used', () => {
    const shown = [...text.matchAll(/^ +#- (\{ name: HEDDLE_.+\})$/gm)].map(
      ([, line = '']) => parse(line) as Variable,
    );
    assert.deepEqual(
      shown.map(({ name }) => name),
      ['HEDDLE_TRUSTED_PROXIES', 'HEDDLE_MAX_CONNECTIONS_PER_CLIENT'],
    );
    const env = [...container.env, ...shown];
    const config = configFrom({ ...environmentOf({ env }), HEDDLE_TRUST: 'dev' });
    assert.equal(config.quotaStore, QUOTA_STORE);
    assert.equal(config.trustedProxies.length, 1);
    const quotas = container.env.find(({ name }) => name === 'HEDDLE_QUOTA_STORE')?.valueFrom?.secretKeyRef;
    assert.deepEqual(quotas, { name: 'heddle-fleet', key: 'quota-store' });
    assert.ok(created.includes('--from-file=quota-store'));
  });

  test('get one signing key, which the init container places privately at each start', async () => {
    const [init] = pod.initContainers ?? [];
    assert.ok(init !== undefined);
    assert.deepEqual(pod.volumes.find(({ name }) => name === 'fleet')?.secret?.secretName, 'heddle-fleet');
    assert.ok(created.includes('--from-file=token.secret'));
    const root = temporaryDirectory();
    try {
      const { dataDir } = configFrom({ ...environmentOf(container), HEDDLE_TRUST: 'dev' });
      const mounted = init.volumeMounts.map(({ mountPath }) => mountPath);
      for (const path of mounted) mkdirSync(join(root, path), { recursive: true });
      const [program = '', ...args] = init.command.map((part) =>
        mounted.reduce((placed, path) => placed.replaceAll(path, join(root, path)), part),
      );
      for (const secret of ['1'.repeat(64), '2'.repeat(64)]) {
        const source = join(root, '/run/secrets/heddle/token.secret');
        rmSync(source, { force: true });
        // As `openssl rand -hex 32` writes it, and as the mount shows it.
        writeFileSync(source, `${secret}\n`, { mode: 0o440 });
        const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        const files = new TokenFiles(join(root, dataDir), SILENT);
        assert.equal(Buffer.from((await files.storedSecret()) ?? []).toString('hex'), secret);
        assert.equal(statSync(files.secretPath).mode & 0o777, 0o600);
        assert.equal(statSync(join(root, dataDir)).mode & 0o777, 0o700);
      }
    } finally {
      removeDirectory(root);
    }
  });

  test('end after the Service has noticed, within the time they are given', () => {
    const [program, seconds] = container.lifecycle?.preStop.exec.command ?? [];
    assert.equal(program, 'sleep');
    // The node ends within 2 s of SIGTERM.
    assert.ok(Number(seconds) >= 3 && Number(seconds) + 5 <= pod.terminationGracePeriodSeconds);
  });
});

/** Variables of a container, with a value for the one that comes from a Secret. */
function environmentOf({ env }: Pick<Container, 'env'>): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [
      name,
      value ?? (valueFrom === undefined ? assert.fail(name) : QUOTA_STORE),
    ]),
  );
}

function gibibytes(size: string): number {
  return Number(/^(\d+)Gi$/.exec(size)?.[1] ?? assert.fail(size));
}
