// node git-pull-child.ts URL FOLDER: pulls main and prints its commit, or the code of what went wrong.
import { openRepository, parseRepositoryUrl } from '../../src/git/index.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const repository = openRepository(parseRepositoryUrl(url), { folder });
try {
  using snapshot = await repository.pull('main', new AbortController().signal);
  process.stdout.write(`${snapshot.commit}\n`);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  process.stdout.write(`${code}: ${message}\n`);
}
await repository.close();
