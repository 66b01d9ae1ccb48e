import { seededRandom } from '../../test/support/seeded-random.ts';

/** How much is generated. */
export interface Shape {
  readonly applications: number;
  /** Per application. */
  readonly files: number;
  /** After the first, each with a few changed files. */
  readonly commits: number;
}

export const fullShape: Shape = { applications: 200, files: 100, commits: 36 };
export const quickShape: Shape = { applications: 10, files: 20, commits: 4 };

export function applicationName(at: number): string {
  return `app-${String(at).padStart(4, '0')}`;
}

export function pathOf(application: number, file: number): string {
  return `apps/${applicationName(application)}/part-${String(file).padStart(3, '0')}.yaml`;
}

interface Which {
  readonly application: number;
  readonly file: number;
  /** Each has another content. */
  readonly version: number;
}

/** Two documents of together about 800 bytes. */
export function manifestsOf({ application, file, version }: Which): string {
  const random = seededRandom(application * 1000 + file);
  const token = (): string => random.below(2 ** 31).toString(36);
  const name = `${applicationName(application)}-${String(file).padStart(3, '0')}`;
  const settings = Array.from({ length: 4 }, () => `  ${token()}: "${token()}${token()}"`);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/part-of: ${applicationName(application)}
spec:
  replicas: ${1 + random.below(5)}
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
    spec:
      containers:
        - name: main
          image: registry.example/${token()}:1.${random.below(40)}.${version}
          ports:
            - containerPort: ${8000 + random.below(1000)}
          envFrom:
            - configMapRef:
                name: ${name}
          resources:
            requests:
              cpu: ${50 + random.below(400)}m
              memory: ${64 + random.below(512)}Mi
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
${settings.join('\n')}
`;
}
