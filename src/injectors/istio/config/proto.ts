import { enums, messages } from '../generated/messages.ts';
import { fieldWords, type PlainKind } from '../pod-types/typed-value.ts';

/** A protobuf message. Its fields are in the order of the .proto file, by their names in JSON. */
export interface ProtoType {
  readonly name: MessageName;
  readonly fields: ReadonlyMap<string, ProtoField>;
}

export interface ProtoField {
  readonly jsonName: string;
  readonly goName: string;
  /** Of the value, or of each item of a list or map. `strings` and `stringMap` are separate kinds. */
  readonly kind: PlainKind | WrapperKind | 'duration' | 'float' | 'uint64' | 'enum' | 'message';
  readonly form: 'single' | 'list' | 'map';
  readonly enum?: ProtoEnum;
  readonly message?: ProtoType;
  /** The name of the oneof: at most one field of the same oneof is set. */
  readonly oneof?: string;
}

/** Messages of one value, which distinguish zero from absent. */
export type WrapperKind = (typeof WRAPPERS)[number];
const WRAPPERS = [
  'BoolValue',
  'Int32Value',
  'Int64Value',
  'UInt32Value',
  'UInt64Value',
  'DoubleValue',
  'FloatValue',
  'StringValue',
] as const;

export function isWrapper(kind: ProtoField['kind']): kind is WrapperKind {
  return (WRAPPERS as readonly string[]).includes(kind);
}

export interface ProtoEnum {
  readonly name: string;
  readonly numbers: ReadonlyMap<string, number>;
  /** The name of number 0. */
  readonly zero: string;
}

export type MessageName = keyof typeof messages;

/** Fields are written like `config_path:string tags:{}Tag hosts:[]Host zipkin@tracer:Zipkin`: `@` names a oneof. */
export function protoType(name: MessageName): ProtoType {
  const known = types.get(name);
  if (known !== undefined) return known;
  const fields = new Map<string, ProtoField>();
  const type: ProtoType = { name, fields };
  types.set(name, type);
  for (const [names, kind] of messages[name] === '' ? [] : fieldWords(messages[name])) {
    const field = protoField(names, kind);
    fields.set(field.jsonName, field);
  }
  return type;
}

/** Lazily parsed, one entry per message. */
const types = new Map<MessageName, ProtoType>();

function protoField(names: string, text: string): ProtoField {
  const [snake = '', oneof] = names.split('@');
  const form = text.startsWith('[]') ? 'list' : text.startsWith('{}') ? 'map' : 'single';
  const kind = form === 'single' ? text : text.slice(2);
  const place = {
    jsonName: jsonNameOf(snake),
    goName: goNameOf(snake),
    form,
    ...(oneof !== undefined && { oneof }),
  } as const;
  if (Object.hasOwn(messages, kind))
    return { ...place, kind: 'message', message: protoType(kind as MessageName) };
  if (Object.hasOwn(enums, kind))
    return { ...place, kind: 'enum', enum: protoEnum(kind as keyof typeof enums) };
  return { ...place, kind: kind as PlainKind };
}

function protoEnum(name: keyof typeof enums): ProtoEnum {
  const values = enums[name].split(' ').map((pair) => {
    const [value = '', number] = pair.split('=');
    return [value, Number(number)] as const;
  });
  const zero = values.find(([, number]) => number === 0)?.[0] ?? '';
  return { name, numbers: new Map(values), zero };
}

export function jsonNameOf(snake: string): string {
  return snake.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A letter after a digit starts a word, too: `K8SSaJwtPath`, `Enable_64BitTraceId`. */
function goNameOf(snake: string): string {
  return snake.replace(/(?:^|_|(?<=\d))([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
