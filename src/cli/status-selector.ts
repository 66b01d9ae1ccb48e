import { SetpointError } from '../model/index.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const name = String.raw`[\w./-]+`;
const value = String.raw`[\w.-]*`;
const sets = new RegExp(String.raw`^(${name})\s+(in|notin)\s*\(([^()]*)\)$`);
const pairs = new RegExp(String.raw`^(${name})\s*(==|=|!=)\s*(${value})$`);
const presence = new RegExp(String.raw`^(!?)\s*(${name})$`);

/** A label selector as kubectl takes it: `tier=web,env!=prod,region in (eu, us),!canary`. */
export function parseSelector(text: string): (labels: Labels) => boolean {
  // A comma between parentheses belongs to a set.
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const requirements = parts.map((part) => requirementIn(part) ?? refuse(text));
  return (labels) => requirements.every((holds) => holds(labels));
}

function requirementIn(text: string): Requirement | undefined {
  const [, setName, how, list] = sets.exec(text) ?? [];
  if (setName !== undefined) {
    const values = new Set((list ?? '').split(',').map((each) => each.trim()));
    return how === 'in' ? (labels) => has(labels, setName) && values.has(labels[setName] ?? '') : (labels) => !has(labels, setName) || !values.has(labels[setName] ?? '');
  }
  const [, pairName, sign, wanted = ''] = pairs.exec(text) ?? [];
  if (pairName !== undefined) {
    return sign === '!=' ? (labels) => !has(labels, pairName) || labels[pairName] !== wanted : (labels) => has(labels, pairName) && labels[pairName] === wanted;
  }
  const [, not, present] = presence.exec(text) ?? [];
  if (present === undefined) return undefined;
  return (labels) => has(labels, present) === (not === '');
}

function has(labels: Labels, key: string): boolean {
  return Object.hasOwn(labels, key);
}

function refuse(text: string): never {
  throw new SetpointError('Usage', `--selector wants label selectors such as tier=web,env!=prod or region in (eu, us), got ${text === '' ? 'nothing' : text}`);
}
