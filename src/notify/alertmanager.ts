import type { AlertmanagerAuth, AlertmanagerConfig, Destination, SendOutcome } from '../model/index.ts';
import { alertmanagerAlerts } from './alertmanager-alerts.ts';
import { classify } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { messagesFor } from './messages-for.ts';

/** Alerts that Alertmanager groups, silences and sends on by its own configuration. */
export function createAlertmanager(config: AlertmanagerConfig, deps: DestinationDeps): Destination {
  const { http, readSecret, now } = deps;
  const messageOf = messagesFor(config, deps);
  const url = `${config.url.replace(/\/+$/, '')}/api/v2/alerts`;
  return {
    name: config.name,
    async send(notification, signal) {
      const login = await loginOf(config.auth, (file) => readSecret(file, signal));
      if (login.type === 'retry') return login;
      const body = JSON.stringify(alertmanagerAlerts(notification, messageOf));
      const answer = await http.post({ url, headers: { 'content-type': 'application/json', ...login.headers }, body }, signal);
      return classify(answer, { secrets: login.secrets, now });
    },
    close: () => Promise.resolve(),
  };
}

type Login = { readonly type: 'login'; readonly headers: Readonly<Record<string, string>>; readonly secrets: readonly string[] } | Extract<SendOutcome, { readonly type: 'retry' }>;

async function loginOf(auth: AlertmanagerAuth | undefined, read: (file: string) => ReturnType<DestinationDeps['readSecret']>): Promise<Login> {
  if (auth === undefined) return { type: 'login', headers: {}, secrets: [] };
  const secret = await read(auth.type === 'basic' ? auth.passwordFile : auth.tokenFile);
  if (secret.type === 'retry') return secret;
  if (auth.type === 'bearer') return { type: 'login', headers: { authorization: `Bearer ${secret.value}` }, secrets: [secret.value] };
  const pair = `${auth.user}:${secret.value}`;
  return { type: 'login', headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, secrets: [secret.value, pair] };
}
