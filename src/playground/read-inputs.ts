import { objectsIn } from '../files/objects-in.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import { parseDocuments, YamlInvalid } from '../yaml/parse-document.ts';
import { positionAt } from '../yaml/text-position.ts';

/** An object of the editor, and its own part of the text. */
export interface Input {
  readonly object: KubeObject;
  readonly text: string;
}

/** Every object of a text. Throws YamlInvalid. */
export function readInputs(yaml: string): Input[] {
  return parseDocuments(yaml).flatMap((document) => {
    const { text, line, root } = document;
    // Where the content begins, after `---` and comments.
    const refuse = (detail: string) => new YamlInvalid(positionAt(text, root.start, line), detail);
    return objectsIn(document.value, refuse).map(({ object, at }) => ({
      object,
      text: at === '' ? withoutMarkers(text) : toYaml(asJson(object)),
    }));
  });
}

/** `---` and `...` separate documents, and are not part of one. */
function withoutMarkers(text: string): string {
  return text.replace(/^---[ \t]*\r?\n/, '').replace(/(^|\n)\.\.\.[ \t]*\r?\n$/, '$1');
}
