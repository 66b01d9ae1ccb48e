export type SyncOptions = Readonly<Record<string, string>>;

const flag: readonly string[] = ['true', 'false'];

/** Those that mean something on a single object. Others may be meant for other tools, and have no effect. */
const values: Readonly<Record<string, readonly string[]>> = {
  Adopt: flag,
  Delete: [...flag, 'confirm'],
  Force: flag,
  Prune: [...flag, 'confirm'],
  PruneLast: flag,
  PrunePropagationPolicy: ['foreground', 'background', 'orphan'],
  Replace: flag,
  Validate: flag,
};

interface Written {
  readonly written: string | undefined;
  /** Helm's `resource-policy: keep`. */
  readonly keep: boolean;
  /** The annotation `setpoint.dev/adopt`: `true`, or an application. */
  readonly adopt: string | undefined;
}

/** The options of one object. A value that means nothing, or two that contradict each other, are problems. */
export function readObjectOptions({ written, keep, adopt }: Written, problems: string[]): SyncOptions {
  const options: Record<string, string> = { ...(keep && { Prune: 'false', Delete: 'false' }), ...(adopt !== undefined && { Adopt: adopt }) };
  for (const option of (written ?? '').split(',')) {
    const [name = '', value = ''] = option.trim().split('=', 2);
    const wanted = Object.hasOwn(values, name) ? values[name] : undefined;
    if (wanted === undefined) continue;
    if (!wanted.includes(value)) problems.push(`the sync option ${name} is to be ${wanted.join(' or ')}, and is "${value}"`);
    else if (Object.hasOwn(options, name) && options[name] !== value) problems.push(`the sync option ${name} is given as ${options[name]} and as ${value}`);
    else options[name] = value;
  }
  return options;
}

/** Of an object, where it says something, else of its application. */
export function optionOf(name: string, own: SyncOptions, ofAll: readonly string[]): string | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return ofAll.findLast((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
}
