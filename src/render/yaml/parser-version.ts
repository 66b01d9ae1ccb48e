import yaml from 'yaml/package.json' with { type: 'json' };

/** A hash of all that decides what a file is read as. A test says when it must be set anew, and to what. */
const meaning = '7ccb7b17112d';

/** Results of another version are results of another reader. */
export const parserVersion = `${meaning}-${yaml.version}`;
