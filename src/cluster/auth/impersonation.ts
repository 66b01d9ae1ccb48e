import { entriesOf, isList, type Json, type JsonObject } from '../../model/index.ts';

/** The headers for `as`, `as-uid`, `as-groups` and `as-user-extra` of a user in the kubeconfig. */
export function impersonationHeaders(user: JsonObject): Readonly<Record<string, string | string[]>> {
  const { as: name, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user;
  if (typeof name !== 'string' || name === '') return {};
  const named: Record<string, string | string[]> = { 'impersonate-user': name };
  if (typeof uid === 'string' && uid !== '') named['impersonate-uid'] = uid;
  if (texts(groups).length > 0) named['impersonate-group'] = texts(groups);
  for (const [key, values] of entriesOf(extra)) named[`impersonate-extra-${headerName(key)}`] = texts(values);
  return named;
}

function texts(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The server decodes it; of what encodeURIComponent leaves, parentheses may not be in the name of a header. */
function headerName(key: string): string {
  return encodeURIComponent(key).replaceAll('(', '%28').replaceAll(')', '%29');
}
