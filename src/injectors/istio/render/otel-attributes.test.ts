import { expect, test } from 'vitest';
import { renderTemplate } from './render-template.ts';
import { dataFor, templateOf } from './template-data.fixture.ts';

const meshConfig = {
  extensionProviders: [
    { name: 'o', opentelemetry: { serviceAttributeEnrichment: 'OTEL_SEMANTIC_CONVENTIONS' } },
  ],
};
const TEXT =
  "a: '{{ otelResourceAttributes .MeshConfig .ObjectMeta.Annotations .ObjectMeta.Labels .ObjectMeta.Namespace .Spec.Containers }}'";

test.each([
  [['web:1.2'], 'service.version=1.2'],
  [['reg:5000/web'], undefined],
  [['web@sha256:abc'], 'service.version=sha256:abc'],
  [['web:1@sha256:abc'], 'service.version=1@sha256:abc'],
  [['web:1.2', 'other:3'], undefined],
])('containers with images %j: %s', (images, version) => {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  const { a } = renderTemplate(
    templateOf(TEXT),
    dataFor({ metadata: {}, spec: { containers } }, { meshConfig }),
  );
  const parts = ['service.namespace=shop', version, 'service.instance.id=shop.$(POD_NAME).c0'];
  expect(a).toBe(parts.filter((part) => part !== undefined).join(','));
});
