import { yamlTokens } from './yaml-tokens.ts';

export function YamlLine({ text }: { readonly text: string }) {
  return (
    <code>
      {yamlTokens(text).map((token, index) => (
        <span key={index} class={`token-${token.type}`}>
          {token.text}
        </span>
      ))}
    </code>
  );
}
