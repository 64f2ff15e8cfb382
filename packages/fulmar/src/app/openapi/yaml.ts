/**
 * A document as YAML. In a file of its own with the library that writes it, loaded when somebody asks for YAML.
 */
import { stringify } from 'yaml';

export default function toYaml(document: object): string {
  // Without anchors: some readers of OpenAPI know none.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
