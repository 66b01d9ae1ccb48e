// A checked configuration in → the parts of a running agent out, wired together. Touches what those parts touch.
export { createDeclarations } from './declarations.ts';
export { startLeading, type Leading } from './leading.ts';
export { openParts, type PartsOptions } from './parts.ts';
export { startServer } from './serving.ts';
export { startFiles, startSingle } from './standalone.ts';
