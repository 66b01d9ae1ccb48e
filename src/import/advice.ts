/** What to do about a field, where the reason alone does not say it. */
const advices: readonly (readonly [RegExp, string])[] = [
  [/^spec\.destination\.(?:server|name)$/, 'run an agent in that cluster, give it this Application, and leave the destination’s server and name out'],
  [/\.repoURL$/, 'put what is there into a Git repository'],
  [/\.chart$/, 'helm pull the chart into a folder of a repository, and keep the values with it'],
  [/\.plugin$/, 'a pipeline can run the plugin and commit what it prints'],
  [/\.directory\.jsonnet$/, 'commit what Jsonnet makes of the files'],
  [/^spec\.project$/, 'see what the project allows, and give the agent rights for no more'],
  [/^spec\.info$/, 'use annotations'],
];

export function adviceFor(path: string): string | undefined {
  return advices.find(([pattern]) => pattern.test(path))?.[1];
}
