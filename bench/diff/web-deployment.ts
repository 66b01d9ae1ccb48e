// A Deployment of the usual size, and what the controller manager makes of its status.
import type { JsonObject, KubeObject } from '../../src/model/index.ts';

export function webDeployment(name: string, namespace: string): KubeObject {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'shop' };
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'http' }, initialDelaySeconds: 5, periodSeconds: 10 });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { annotations: { 'example.com/owner': 'team-web' }, labels: { ...labels, 'app.kubernetes.io/version': '1.4.2' }, name, namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              args: ['--listen=:8080', `--name=${name}`],
              env: [
                { name: 'LOG_LEVEL', value: 'info' },
                { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { key: 'url', name: `${name}-database` } } },
                { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              ],
              image: `registry.example.com/shop/${name}:1.4.2`,
              livenessProbe: probe('/healthz'),
              name: 'web',
              ports: [{ containerPort: 8080, name: 'http' }],
              readinessProbe: probe('/ready'),
              resources: { limits: { memory: '0.25Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
              volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
            },
            {
              image: 'registry.example.com/shop/auth-proxy:0.19.0',
              name: 'auth-proxy',
              ports: [{ containerPort: 8443, name: 'https' }],
              resources: { limits: { cpu: '20m', memory: '40Mi' }, requests: { cpu: '10m', memory: '20Mi' } },
            },
          ],
          securityContext: { runAsNonRoot: true, runAsUser: 65534 },
          volumes: [{ emptyDir: {}, name: 'tmp' }],
        },
      },
    },
  };
}

export function rolledOut({ metadata }: KubeObject): JsonObject {
  const at = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = (type: string, reason: string, message: string): JsonObject => ({ lastTransitionTime: at, lastUpdateTime: at, message, reason, status: 'True', type });
  return {
    metadata: { annotations: { 'deployment.kubernetes.io/revision': '1' } },
    status: {
      conditions: [
        condition('Available', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'),
        condition('Progressing', 'NewReplicaSetAvailable', `ReplicaSet "${metadata.name}-5d8c9f7b64" has successfully progressed.`),
      ],
      observedGeneration: 1,
    },
  };
}
