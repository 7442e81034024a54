// The Kubernetes example.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { memoryBudget } from '../../src/cli/node/doctor/memory.js';
import { OPTIONS } from '../../src/config/options.js';
import { packageRoot, packageVersion } from '../../src/config/package-info.js';
import { configFrom, deployFile } from '../support/deploy-files.js';

type Labels = Readonly<Record<string, string>>;
interface Named {
  readonly name: string;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
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
  readonly containers: readonly [Container];
  readonly volumes: readonly Named[];
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

const documents = parseAllDocuments(deployFile('kubernetes.yaml'));
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
      const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
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
      const routes = readFileSync(join(packageRoot(), 'src/rpc/front-end.ts'), 'utf8');
      for (const [probe, path] of [
        [container.startupProbe, '/health'],
        [container.livenessProbe, '/health'],
        [container.readinessProbe, '/ready'],
      ] as const) {
        assert.deepEqual({ path: probe.httpGet.path, port: probe.httpGet.port }, { path, port: 'rpc' });
        assert.ok(routes.includes(`\`\${baseUrl}${path}\``), `the node has no ${path}`);
      }
    });

    test(`${metadata.name} runs without rights, and without variables of services`, () => {
      assert.equal(pod.enableServiceLinks, false);
      assert.ok(pod.terminationGracePeriodSeconds >= 5);
      const { runAsNonRoot, runAsUser, fsGroupChangePolicy, seccompProfile } = pod.securityContext;
      assert.deepEqual([runAsNonRoot, fsGroupChangePolicy], [true, 'OnRootMismatch']);
      assert.deepEqual(seccompProfile, { type: 'RuntimeDefault' });
      assert.match(deployFile('Containerfile'), new RegExp(`^USER ${runAsUser}:`, 'm'));
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.equal(container.image, `heddle:${packageVersion()}`);
    });

    test(`${metadata.name} mounts volumes that it has`, () => {
      const claims = spec.volumeClaimTemplates.map(({ metadata: { name } }) => name);
      const volumes = [...claims, ...pod.volumes.map(({ name }) => name)].sort();
      assert.deepEqual(container.volumeMounts.map(({ name }) => name).sort(), volumes);
    });
  }
});

function gibibytes(text: string): number {
  return Number(/^(\d+)Gi$/.exec(text)?.[1] ?? assert.fail(text));
}
