import type { FieldDefinition } from '../../idl/manifest.js';
import type { ExpandedType, TypeTable } from '../../idl/type-table.js';
import { Button, Check, Select } from '../parts/controls.js';
import type { Mistake } from '../parts/mistake.js';
import { shortName } from '../text/untrusted.js';
import { type Draft, emptyDraft, fieldType, MAX_ITEMS, variantDraft } from './draft.js';
import { BoolField, type FieldProps, Group, TextField } from './field-parts.js';
import { shownType } from './type-hint.js';

/** The inputs for one value of any type. */
export function Field(props: FieldProps) {
  const { types, type, draft } = props;
  const expanded = types.expand(type);
  switch (draft.kind) {
    case 'json':
      return <TextField {...props} text={draft.text} isJson />;
    case 'text':
      return <TextField {...props} text={draft.text} primitive={nameOf(expanded)} />;
    case 'bool':
      return <BoolField {...props} value={draft.value} />;
    case 'struct':
      return expanded.kind === 'struct' ? (
        <Group {...props}>
          <Fields
            {...props}
            fields={expanded.definition.fields}
            drafts={draft.fields}
            onFields={(fields) => props.onChange({ kind: 'struct', fields })}
          />
        </Group>
      ) : null;
    case 'list':
      return expanded.kind === 'list' ? <ListField {...props} list={draft} of={expanded} /> : null;
    case 'option':
      return expanded.kind === 'option' ? <OptionField {...props} option={draft} of={expanded} /> : null;
    case 'enum':
      return expanded.kind === 'enum' ? <EnumField {...props} value={draft} of={expanded} /> : null;
  }
}

function nameOf(type: ExpandedType): string {
  return type.kind === 'primitive' ? type.name : '';
}

interface FieldsProps {
  readonly types: TypeTable;
  readonly fields: readonly FieldDefinition[];
  readonly drafts: readonly Draft[];
  readonly path: string;
  readonly mistake: Mistake | undefined;
  readonly onFields: (drafts: readonly Draft[]) => void;
}

/** The fields of a struct, or the parameters of a function. */
export function Fields({ types, fields, drafts, path, mistake, onFields }: FieldsProps) {
  return (
    <>
      {fields.map((field, at) => {
        const draft = drafts[at];
        if (draft === undefined) return null;
        return (
          <Field
            key={field.name}
            types={types}
            type={fieldType(field)}
            label={shortName(field.name)}
            path={`${path}.${field.name}`}
            draft={draft}
            mistake={mistake}
            onChange={(changed) => onFields(drafts.with(at, changed))}
          />
        );
      })}
    </>
  );
}

function OptionField(
  props: FieldProps & {
    readonly option: Extract<Draft, { readonly kind: 'option' }>;
    readonly of: Extract<ExpandedType, { readonly kind: 'option' }>;
  },
) {
  const { types, label, option, of, onChange } = props;
  return (
    <div class="option">
      <Check
        checked={option.inner !== undefined}
        onChange={(checked) =>
          onChange(checked ? { kind: 'option', inner: emptyDraft(types, of.item) } : { kind: 'option' })
        }
      >
        Give {label} <span class="type mono">{shownType(props.type)}</span>
      </Check>
      {option.inner !== undefined && (
        <Field
          {...props}
          type={of.item}
          draft={option.inner}
          onChange={(inner) => onChange({ kind: 'option', inner })}
        />
      )}
    </div>
  );
}

function ListField(
  props: FieldProps & {
    readonly list: Extract<Draft, { readonly kind: 'list' }>;
    readonly of: Extract<ExpandedType, { readonly kind: 'list' }>;
  },
) {
  const { types, label, path, list, of, mistake, onChange } = props;
  const { items } = list;
  const change = (changed: readonly Draft[]) => onChange({ kind: 'list', items: changed });
  return (
    <Group {...props}>
      {items.map((item, at) => (
        // An item has no identity other than its index.
        <div class="item" key={at}>
          <Field
            {...props}
            type={of.item}
            label={`${label} ${at + 1}`}
            path={`${path}[${at}]`}
            draft={item}
            onChange={(changed) => change(items.with(at, changed))}
          />
          {of.length === undefined && (
            <Button aria-label={`Remove ${label} ${at + 1}`} onClick={() => change(items.toSpliced(at, 1))}>
              Remove
            </Button>
          )}
        </div>
      ))}
      {mistake?.path === path && <p class="mistake">{mistake.message}</p>}
      {of.length === undefined && (
        <Button
          disabled={items.length >= MAX_ITEMS}
          title={items.length >= MAX_ITEMS ? 'Enter longer lists as JSON' : undefined}
          aria-label={`Add an item to ${label}`}
          onClick={() => change([...items, emptyDraft(types, of.item)])}
        >
          Add
        </Button>
      )}
    </Group>
  );
}

function EnumField(
  props: FieldProps & {
    readonly value: Extract<Draft, { readonly kind: 'enum' }>;
    readonly of: Extract<ExpandedType, { readonly kind: 'enum' }>;
  },
) {
  const { types, label, path, value, of, onChange } = props;
  const { variants } = of.definition;
  const chosen = variants[value.variant];
  return (
    <Group {...props}>
      <div class="field">
        <Select
          label={`Variant of ${label}`}
          value={String(value.variant)}
          options={variants.slice(0, 256).map(({ name }, at) => [String(at), shortName(name)])}
          onChange={(chosen) => {
            const variant = Number(chosen);
            onChange(variantDraft(types, variants[variant]?.payload, variant));
          }}
        />
      </div>
      {chosen?.payload !== undefined && value.payload !== undefined && (
        <Field
          {...props}
          type={chosen.payload}
          label={shortName(chosen.name)}
          path={`${path}.${chosen.tag}`}
          draft={value.payload}
          onChange={(payload) => onChange({ kind: 'enum', variant: value.variant, payload })}
        />
      )}
    </Group>
  );
}
