/** A condition in CEL that the API server checks, and what it says where it does not hold. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

interface Described {
  /** For `kubectl explain`. */
  readonly about?: string;
}

interface TextField extends Described {
  readonly type: 'text';
  readonly longest?: number;
  readonly oneOf?: readonly string[];
  readonly rules?: readonly Rule[];
}

/** `30s`, `5m`, `1h30m`, or seconds without a unit, as Argo CD takes them. */
interface DurationField extends Described {
  readonly type: 'duration';
  readonly leastSeconds?: number;
}

interface IntegerField extends Described {
  readonly type: 'integer';
  readonly least?: number;
}

/** `flag`: true or false. `count`: a whole number, perhaps as text. `time`: RFC 3339. `textMap`: texts by name. `free`: a map of anything. */
interface PlainField extends Described {
  readonly type: 'flag' | 'count' | 'time' | 'textMap' | 'free';
}

interface TextsField extends Described {
  readonly type: 'texts';
  readonly most: number;
}

/** A list of maps. `known` is described to the API server; what a map holds is read by others. */
interface FreesField extends Described {
  readonly type: 'frees';
  readonly most: number;
  readonly known?: Fields;
}

export interface BlockField extends Described {
  readonly type: 'block';
  readonly fields: Fields;
  readonly required?: readonly string[];
  readonly rules?: readonly Rule[];
}

interface BlocksField extends Described {
  readonly type: 'blocks';
  readonly most: number;
  readonly item: BlockField;
  /** The field of an item that tells it from the others. */
  readonly key?: string;
}

/** Argo CD has it and we do not. `unsupported`: the rest works without it. `refused`: nothing would. */
interface AbsentField<Type extends 'unsupported' | 'refused'> {
  readonly type: Type;
  readonly why: string;
}

/** What a field of an Application may hold. Documents are read by it, and the custom resource definition is made of it. */
export type Field = HeldField | AbsentField<'unsupported'> | AbsentField<'refused'>;

/** Those that a document may have. */
export type HeldField = TextField | DurationField | IntegerField | PlainField | TextsField | FreesField | BlockField | BlocksField;

export type Fields = Readonly<Record<string, Field>>;
