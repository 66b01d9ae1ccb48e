// Manifests as people write them. Pods are not wanted in most cases, so workloads have no replicas.

/** `podSpec` is what stands under spec.template.spec, in flow or block style. */
export function deployment(name: string, podSpec: string, spec = 'replicas: 0'): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
${indent(spec, 2)}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${indent(podSpec, 6)}
`;
}

/** A Deployment with one container; `more` are further fields of it. */
export function oneContainer(name: string, more = ''): string {
  return deployment(name, `containers: [{ name: app, image: "app:1"${more === '' ? '' : `, ${more}`} }]`);
}

export function configMap(name: string, data: string, metadata = ''): string {
  return `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}${metadata === '' ? '' : `, ${metadata}`} }, data: ${data} }`;
}

export function service(name: string, spec: string): string {
  return `{ apiVersion: v1, kind: Service, metadata: { name: ${name} }, spec: { ${spec} } }`;
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}
