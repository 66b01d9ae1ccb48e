import type { BlockField } from './field.ts';

/** What is read of the metadata of a document. All else is the API server's own business. */
export const metadataField: BlockField = {
  type: 'block',
  required: ['name'],
  fields: {
    name: { type: 'text', longest: 253 },
    namespace: { type: 'text', longest: 63 },
    uid: { type: 'text' },
    generation: { type: 'integer' },
    labels: { type: 'textMap' },
    annotations: { type: 'textMap' },
    finalizers: { type: 'texts', most: 1000 },
    deletionTimestamp: { type: 'text' },
  },
};
