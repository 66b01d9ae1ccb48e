import type { Finding, SourceDocument } from '../../model/index.ts';
import { readApplication, type ReadApplication } from '../read-application.ts';
import { otherKind } from '../read-identity.ts';

/** What a file holds, as kubectl reads it. */
export interface ParsedFile {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

export type FileContent = { readonly name: string; readonly parsed: ParsedFile } | { readonly name: string; readonly problem: string };

export interface ListedApplication {
  /** `apps/shop.yaml#2` */
  readonly origin: string;
  readonly application: ReadApplication;
}

export interface FileListing {
  /** False where something could not be read: an application that is missing may be in there. */
  readonly complete: boolean;
  readonly applications: readonly ListedApplication[];
  readonly problems: readonly Finding[];
}

/** The applications of each file, by its name, as they were last read. */
export type ByFile = ReadonlyMap<string, readonly ListedApplication[]>;

/** All applications of some files. Those of a file that cannot be read, or only in part, stay as they were in `before`. */
export function listApplications(files: readonly FileContent[], before: ByFile): { readonly listing: FileListing; readonly byFile: ByFile } {
  const byFile = new Map<string, readonly ListedApplication[]>();
  const problems: Finding[] = [];
  let complete = true;
  for (const file of files) {
    const read = readFile(file);
    complete &&= read.isWhole;
    problems.push(...read.problems);
    byFile.set(file.name, read.isWhole ? read.applications : [...read.applications, ...others(before.get(file.name) ?? [], read.applications)]);
  }
  const applications = withoutDoubles([...byFile.values()].flat());
  return { listing: { complete, applications, problems }, byFile };
}

function readFile(file: FileContent): Pick<FileListing, 'applications' | 'problems'> & { readonly isWhole: boolean } {
  if ('problem' in file) return { applications: [], problems: [{ severity: 'error', origin: file.name, message: file.problem }], isWhole: false };
  const applications: ListedApplication[] = [];
  const problems: Finding[] = [...file.parsed.findings];
  let isWhole = problems.every(({ severity }) => severity !== 'error');
  for (const { origin, object } of file.parsed.documents) {
    const other = otherKind(object);
    if (other !== undefined) {
      problems.push({ severity: 'error', origin, message: other });
      continue;
    }
    const application = readApplication(object, { localRepositories: 'allowed' });
    if (application.type === 'application' || application.id !== undefined) {
      applications.push({ origin, application });
      continue;
    }
    // Nobody knows which one it is: perhaps one that is known by the name that it had.
    isWhole = false;
    problems.push({ severity: 'error', origin, message: application.messages.join('; ') });
  }
  return { applications, problems, isWhole };
}

/** Those of `some` that are not among `known`. */
function others(some: readonly ListedApplication[], known: readonly ListedApplication[]): readonly ListedApplication[] {
  const ids = new Set(known.map(({ application }) => idOf(application)));
  return some.filter(({ application }) => !ids.has(idOf(application)));
}

/** Nobody can say which of two is meant: neither is taken. */
function withoutDoubles(applications: readonly ListedApplication[]): readonly ListedApplication[] {
  const sameId = Map.groupBy(applications, ({ application }) => idOf(application));
  return applications.map((listed) => {
    const id = idOf(listed.application);
    const doubles = id === undefined ? [] : (sameId.get(id) ?? []);
    if (doubles.length < 2) return listed;
    const origins = doubles.map(({ origin }) => origin).join(' and ');
    return { ...listed, application: { type: 'invalid', id, messages: [`one Application ${id} is wanted, got ${doubles.length}: ${origins}`] } };
  });
}

function idOf(application: ReadApplication): string | undefined {
  return application.type === 'application' ? application.spec.id : application.id;
}
