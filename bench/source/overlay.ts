const names = ['frontend', 'backend', 'cache', 'search', 'mail'];

function deployment(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: main
          image: registry.example/${name}:1.0.0
          ports:
            - containerPort: 8080
`;
}

/** An overlay over a base of five resources, as people write them. */
export const overlayFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(names.map((name) => [`base/${name}.yaml`, deployment(name)])),
  'base/kustomization.yaml': `resources:\n${names.map((name) => `  - ${name}.yaml`).join('\n')}\n`,
  'overlay/kustomization.yaml': `resources:
  - ../base
namespace: production
namePrefix: prod-
labels:
  - pairs:
      environment: production
    includeSelectors: true
images:
  - name: registry.example/backend
    newTag: 1.2.3
patches:
  - path: replicas.yaml
    target:
      kind: Deployment
      name: frontend
`,
  'overlay/replicas.yaml': `- op: replace
  path: /spec/replicas
  value: 3
`,
};
