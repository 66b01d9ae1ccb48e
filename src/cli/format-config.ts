import { configKeyNames, showOrigin, traitsOf, type ConfigKey, type ResolvedConfig } from '../config/index.ts';
import { stringifyJson, type Json } from '../model/index.ts';
import { printable, yamlText } from './format/index.ts';

type Shown = Pick<ResolvedConfig, 'config' | 'origins' | 'shown'>;

interface ConfigFormat {
  readonly format: 'yaml' | 'json';
  readonly origins: 'shown' | 'left out';
}

/** The YAML is a configuration file again, but for its secrets. */
export function formatConfig(resolved: Shown, { format, origins }: ConfigFormat): string {
  const keys = configKeyNames.filter((key) => resolved.shown[key] !== undefined);
  if (format === 'json') return formatJson(resolved, origins === 'shown' ? keys : []);
  const comment = (key: ConfigKey): string => (origins === 'shown' ? `  # ${originOf(resolved, key)}` : '');
  const lines = keys.map((key) => yamlText({ [key]: resolved.shown[key] ?? null }).replace('\n', () => `${comment(key)}\n`));
  return [`# scope: ${resolved.config.scope.type}\n`, ...lines, ...(origins === 'shown' ? unset(resolved) : [])].join('');
}

function formatJson({ config, origins, shown }: Shown, withOrigin: readonly ConfigKey[]): string {
  const report = {
    apiVersion: 'setpoint.dev/v1',
    kind: 'Configuration',
    scope: config.scope.type,
    values: { ...shown } as Readonly<Record<string, Json>>,
    ...(withOrigin.length > 0 && { origins: Object.fromEntries(withOrigin.map((key) => [key, originOf({ origins }, key)])) }),
  };
  return `${stringifyJson(report, 2)}\n`;
}

function originOf({ origins }: Pick<Shown, 'origins'>, key: ConfigKey): string {
  return printable(showOrigin(origins[key] ?? { type: 'default' }));
}

/** What could be said besides. */
function unset({ config: { scope }, shown }: Shown): string[] {
  const left = configKeyNames.filter((key) => shown[key] === undefined && (traitsOf(key).only ?? scope.type) === scope.type);
  return left.map((key) => `# ${key}:  # not set\n`);
}
