/** What someone gave us to get into a repository, wherever it came from. Which parts count depends on the URL. */
export interface Access {
  readonly username?: string;
  /** For HTTP. For SSH the passphrase of the key, where `passphrase` is not given: Flux keeps it there. */
  readonly password?: string;
  readonly bearerToken?: string;
  readonly privateKey?: string;
  readonly passphrase?: string;
  /** In the format of OpenSSH's known_hosts. */
  readonly knownHosts?: string;
  /** PEM. With it no other authority is trusted. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The server's certificate is not checked. Only for who asks for it, repository by repository. */
  readonly insecure?: boolean;
  readonly proxy?: ProxySettings;
}

/** As in the environment variables of the same names. */
export interface ProxySettings {
  readonly https?: string;
  readonly http?: string;
  readonly except?: string;
}

export function accessFromEnv(env: Readonly<Record<string, string | undefined>>): Access {
  const { SETPOINT_GIT_USERNAME: username, SETPOINT_GIT_PASSWORD: password, SETPOINT_GIT_TOKEN: token } = env;
  const proxy = proxyFromEnv(env);
  return {
    ...(username && { username }),
    // Hosts that take a token as the password accept any user name.
    ...(password ? { password } : token && { password: token }),
    ...(Object.keys(proxy).length > 0 && { proxy }),
  };
}

function proxyFromEnv(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  // curl and Go read the small letters first; HTTP_PROXY in capitals could come from a request's header where a CGI server sets it.
  const named = (name: string): string | undefined => env[name] || env[name.toUpperCase()] || undefined;
  const all = named('all_proxy');
  const https = named('https_proxy') ?? all;
  const http = named('http_proxy') ?? all;
  const except = named('no_proxy');
  return { ...(https && { https }), ...(http && { http }), ...(except && { except }) };
}
