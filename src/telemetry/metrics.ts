import { Counter, Registry } from 'prom-client';

/** What the agent counts of its own work. */
export interface Metrics {
  gitListed(repository: string): void;
  gitFetched(repository: string, type: 'first' | 'incremental', bytes: number): void;
  rendered(kind: string): void;
  parsed(files: number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const counter = (name: string, help: string, labelNames: readonly string[] = []): Counter => new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const listings = counter('setpoint_git_listings_total', 'References asked for at Git servers.', ['repository']);
  const fetches = counter('setpoint_git_fetches_total', 'Fetches from Git servers.', ['repository', 'type']);
  const fetchedBytes = counter('setpoint_git_fetched_bytes_total', 'Bytes received from Git servers by fetches.', ['repository']);
  const renders = counter('setpoint_renders_total', 'Sources rendered because something they are made of changed.', ['kind']);
  const parsedFiles = counter('setpoint_parsed_files_total', 'Files parsed because no earlier result was at hand.');
  return {
    gitListed: (repository) => listings.inc({ repository }),
    gitFetched(repository, type, bytes) {
      fetches.inc({ repository, type });
      fetchedBytes.inc({ repository }, bytes);
    },
    rendered: (kind) => renders.inc({ kind }),
    parsed: (files) => parsedFiles.inc(files),
    text: () => registry.metrics(),
  };
}
