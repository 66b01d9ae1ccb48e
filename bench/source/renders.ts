// Charts and overlays rendered in the engine that is there, next to programs that are started for each.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildRenderEngine } from '../../render-engine/build.ts';
import type { SourceTree } from '../../src/model/index.ts';
import type { EngineRequest } from '../../src/render/engine/engine.ts';
import { createWasmEngine, openLocalTree, type Engine } from '../../src/render/index.ts';
import { controlPlaneBinary } from '../../test/support/control-plane.ts';
import { helmRequest } from '../../test/support/helm-request.ts';
import { writeFiles } from '../../test/support/oracle-render.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { BenchOptions, Figure } from '../bench.ts';
import type { Measured } from './fetches.ts';
import { overlayFiles } from './overlay.ts';
import { withStall, worstOf, type Stall } from './stall.ts';
import { inMs, measureBoth, median, runCommand, timed } from './timing.ts';

interface Rendering {
  readonly what: string;
  readonly request: EngineRequest;
  readonly tool: 'helm' | 'kubectl';
  readonly args: readonly string[];
  /** Something that only starts the program. */
  readonly idle: readonly string[];
  readonly wanted: number | undefined;
}

interface Kitchen {
  readonly engine: Engine;
  readonly binary: string;
  readonly folder: string;
  readonly tree: SourceTree;
  readonly env: NodeJS.ProcessEnv;
}

const run = promisify(execFile);

export async function measureRenders(options: BenchOptions): Promise<Measured> {
  const { say, signal } = options;
  await using folder = await tempFolder();
  const [binary, module] = [await controlPlaneBinary(), await buildRenderEngine()];
  const env = { PATH: process.env['PATH'], HOME: folder.path, TZ: 'UTC' };
  await run(binary, ['helm', 'create', join(folder.path, 'chart')], { env });
  await writeFiles(folder.path, overlayFiles);
  await using undo = new AsyncDisposableStack();
  const engine = undo.adopt(createWasmEngine({ env: { ...process.env, SETPOINT_RENDER_ENGINE: module } }), (started) => started.close());
  const kitchen: Kitchen = { engine, binary, folder: folder.path, tree: await openLocalTree({ root: folder.path }), env };

  say('rendering a chart and an overlay');
  const chart = helmRequest();
  const { result: firstMs, stall: firstStall } = await withStall(() => timed(() => engine.render(chart, kitchen.tree, signal)));
  const rendered = [
    await measureOne(kitchen, { what: 'Helm', request: chart, tool: 'helm', args: ['template', 'rel', './chart', '--namespace', 'shop', '--include-crds'], idle: ['version'], wanted: 5 }, options),
    await measureOne(kitchen, { what: 'Kustomize', request: { type: 'kustomize', folder: 'overlay', kustomization: undefined }, tool: 'kubectl', args: ['kustomize', 'overlay'], idle: ['version', '--client'], wanted: undefined }, options),
  ];
  const first: Figure = { what: 'Helm, first render', value: inMs(firstMs), conditions: 'the engine is compiled and started for it' };
  return {
    figures: [first, ...rendered.flatMap(({ figures }) => figures)],
    stalls: { 'first render': firstStall, 'warm renders': worstOf(rendered.map(({ stall }) => stall)) },
    failures: rendered.flatMap(({ failures }) => failures),
  };
}

interface Rendered {
  readonly figures: readonly Figure[];
  readonly stall: Stall;
  readonly failures: readonly string[];
}

async function measureOne(kitchen: Kitchen, { what, request, tool, args, idle, wanted }: Rendering, { quick, signal }: BenchOptions): Promise<Rendered> {
  const { engine, binary, folder, tree, env } = kitchen;
  const spawned = async (argv: readonly string[]): Promise<number> => (await runCommand({ program: binary, args: [tool, ...argv], cwd: folder, env })).ms;
  const [ours, theirs] = await Promise.all([engine.render(request, tree, signal), run(binary, [tool, ...args], { cwd: folder, env })]);
  const runs = quick ? 3 : 25;
  const renderAll = (count: number): Promise<unknown> => Promise.all(Array.from({ length: count }, () => engine.render(request, tree, signal)));
  // Both threads are started, and their first ones compiled on the way.
  await renderAll(quick ? 4 : 60);
  const pair = await measureBoth({ runs, signal, ours: () => timed(() => engine.render(request, tree, signal)), theirs: () => spawned(args) });
  const starts: number[] = [];
  for (let start = 0; start < (quick ? 1 : 9); start++) starts.push(await spawned(idle));
  const many = quick ? 4 : 100;
  const wholeMs = await timed(() => renderAll(many));
  const name = tool === 'helm' ? 'helm template' : 'kubectl kustomize';
  const faster = pair.theirs / pair.ours;
  return {
    figures: [
      {
        what: `${what}, warm render`,
        value: `${inMs(pair.ours)}, ${name} ${inMs(pair.theirs)}: ${faster.toFixed(1)} x faster`,
        conditions: `${tool === 'helm' ? 'what helm create makes' : 'an overlay over five Deployments'}, from the disk each time; ${name} from a program of 150 MB that holds a whole control plane, whose start alone (${tool} ${idle.join(' ')}) takes ${inMs(median(starts))}: helm or kubectl alone start faster; median of ${runs}, in turns`,
        ...(wanted !== undefined && { target: { wanted: `>= ${wanted} x`, met: quick ? undefined : faster >= wanted } }),
      },
      { what: `${what}, renders/s`, value: `${(1000 / pair.ours).toFixed(0)}, ${name} ${(1000 / pair.theirs).toFixed(1)}`, conditions: `one after the other; ${((many * 1000) / wholeMs).toFixed(0)}/s where ${many} are asked for at once, in two threads` },
    ],
    stall: pair.stall,
    failures: ours.text === theirs.stdout ? [] : [`${what} does not print what ${name} prints`],
  };
}
