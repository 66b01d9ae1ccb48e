import { applicationName } from '../source/manifests.ts';

const configMaps = 5;
const keys = 20;

/** Each application: a Deployment, a Service, a ServiceAccount, a Role, a RoleBinding and the ConfigMaps. */
export const objectsEach = 5 + configMaps;

export function namespaceName(at: number): string {
  return `bench-${String(at).padStart(2, '0')}`;
}

/** One key of one ConfigMap. */
export interface Entry {
  readonly application: number;
  readonly part: number;
  readonly key: number;
}

/** The entry that is edited by hand: not the same ConfigMap and key in each application. */
export function editedIn(application: number): Entry {
  return { application, part: application % configMaps, key: (application * 7) % keys };
}

/** The entry that commits change, in a ConfigMap that nobody edits. */
export function committedIn(application: number): Entry {
  return { application, part: (application + 1) % configMaps, key: (application * 3) % keys };
}

export function configMapName({ application, part }: Entry): string {
  return `${applicationName(application)}-settings-${part}`;
}

export function keyName({ key }: Entry): string {
  return `setting.${String(key).padStart(2, '0')}`;
}

export function valueOf({ application, part, key }: Entry): string {
  return `value ${application}.${part}.${key} of https://service-${key}.example/v1/path`;
}

export function configMapPath(entry: Entry): string {
  return `${folderOf(entry.application)}/settings-${entry.part}.yaml`;
}

function folderOf(application: number): string {
  return `apps/${applicationName(application)}`;
}

/** Path → content of one application's folder. */
export function filesOf(application: number): Readonly<Record<string, string>> {
  const name = applicationName(application);
  const folder = folderOf(application);
  const parts = Array.from({ length: configMaps }, (_none, part) => ({ application, part, key: 0 }));
  return {
    [`${folder}/deployment.yaml`]: deploymentOf(name),
    [`${folder}/service.yaml`]: serviceOf(name),
    [`${folder}/service-account.yaml`]: `apiVersion: v1\nkind: ServiceAccount\n${metadataOf(name)}`,
    [`${folder}/access.yaml`]: accessOf(name),
    ...Object.fromEntries(parts.map((entry) => [configMapPath(entry), configMapOf(entry)])),
  };
}

/** With another value in one place where it is given. */
export function configMapOf(entry: Entry, changed?: string): string {
  const entries = Array.from({ length: keys }, (_none, key) => ({ ...entry, key }));
  const data = entries.map((each) => `  ${keyName(each)}: "${each.key === entry.key && changed !== undefined ? changed : valueOf(each)}"`);
  return `apiVersion: v1\nkind: ConfigMap\n${metadataOf(configMapName(entry))}data:\n${data.join('\n')}\n`;
}

function metadataOf(name: string): string {
  return `metadata:\n  name: ${name}\n  labels:\n    app.kubernetes.io/name: ${name}\n`;
}

function deploymentOf(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
${metadataOf(name)}spec:
  replicas: 0
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
    spec:
      serviceAccountName: ${name}
      containers:
        - name: main
          image: registry.example/${name}:1.0.0
          ports:
            - containerPort: 8080
          envFrom:
            - configMapRef:
                name: ${name}-settings-0
          readinessProbe:
            httpGet:
              path: /ready
              port: 8080
          resources:
            requests:
              cpu: "0.1"
              memory: 0.25Gi
            limits:
              memory: 0.5Gi
`;
}

function serviceOf(name: string): string {
  return `apiVersion: v1
kind: Service
${metadataOf(name)}spec:
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - name: http
      port: 80
      targetPort: 8080
`;
}

function accessOf(name: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
${metadataOf(name)}rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
${metadataOf(name)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: ${name}
`;
}
