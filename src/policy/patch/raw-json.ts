import type { Json } from '../../json/json.ts';

/** JSON whose scalars are kept as text, since `30.0` and `30` differ to a program that compares text. */
export type RawJson =
  | { readonly kind: 'object'; readonly members: Map<string, RawJson> }
  | { readonly kind: 'array'; readonly items: RawJson[] }
  | { readonly kind: 'scalar'; readonly text: string };

/** Parses JSON that JSON.parse accepts. Of repeated members, the last counts. */
export function parseRawJson(text: string): RawJson {
  return new Reader(text).value();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): RawJson {
    this.#skipBlank();
    const first = this.#text[this.#at];
    if (first === '{') return { kind: 'object', members: this.#object() };
    if (first === '[') return { kind: 'array', items: this.#array() };
    return { kind: 'scalar', text: this.#scalar() };
  }

  #object(): Map<string, RawJson> {
    const members = new Map<string, RawJson>();
    this.#at++;
    while (!this.#ends('}')) {
      this.#skipBlank();
      const key = JSON.parse(this.#scalar()) as string;
      this.#skipBlank();
      this.#at++;
      members.set(key, this.value());
    }
    return members;
  }

  #array(): RawJson[] {
    const items: RawJson[] = [];
    this.#at++;
    while (!this.#ends(']')) items.push(this.value());
    return items;
  }

  /** Skips a comma; true, and past it, at the closing bracket. */
  #ends(close: string): boolean {
    this.#skipBlank();
    if (this.#text[this.#at] === ',') {
      this.#at++;
      return false;
    }
    if (this.#text[this.#at] !== close) return false;
    this.#at++;
    return true;
  }

  #scalar(): string {
    const start = this.#at;
    if (this.#text[start] === '"') {
      this.#at++;
      while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
      this.#at++;
    } else {
      while (this.#at < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#at] as string)) this.#at++;
    }
    return this.#text.slice(start, this.#at);
  }

  #skipBlank(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }
}

/** JSON as Go's encoder writes it, which escapes `&`, `<` and `>`. */
export function goJsonText(value: Json): string {
  return JSON.stringify(value).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
