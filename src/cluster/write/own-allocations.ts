import { isList, isObject, valueAt, type Json, type KubeObject } from '../../model/index.ts';

const addresses = new Set(['clusterIP', 'clusterIPs', 'healthCheckNodePort']);

/**
 * A Service without the addresses and ports that the live one holds: as long as it is there, nothing else can be given them,
 * not even in a trial. Any other object as it is.
 */
export function withoutOwnAllocations(object: KubeObject, live: KubeObject): KubeObject {
  const { spec } = object;
  if (object.apiVersion !== 'v1' || object.kind !== 'Service' || !isObject(spec)) return object;
  const held = nodePortsOf(live);
  const isOwn = (key: string, value: Json): boolean => addresses.has(key) && JSON.stringify(value) === JSON.stringify(valueAt(live, ['spec', key]));
  const entries = Object.entries<Json>(spec).filter(([key, value]) => !isOwn(key, value) || value === 'None');
  return { ...object, spec: Object.fromEntries(entries.map(([key, value]) => [key, key === 'ports' ? withoutNodePorts(value, held) : value])) };
}

function nodePortsOf(live: KubeObject): ReadonlySet<Json | undefined> {
  const ports = valueAt(live, ['spec', 'ports']);
  return new Set(isList(ports) ? ports.flatMap((port) => (isObject(port) && port['nodePort'] !== undefined ? [port['nodePort']] : [])) : []);
}

function withoutNodePorts(ports: Json, held: ReadonlySet<Json | undefined>): Json {
  if (!isList(ports)) return ports;
  return ports.map((port) => {
    if (!isObject(port) || !held.has(port['nodePort'])) return port;
    return Object.fromEntries(Object.entries<Json>(port).filter(([key]) => key !== 'nodePort'));
  });
}
