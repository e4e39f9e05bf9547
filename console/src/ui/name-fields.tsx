import { messageOf, refuses } from './errors.ts';
import { InputField } from './field.tsx';

interface NameFieldsProps {
  readonly what: string;
  readonly title: string;
  readonly slug: string;
  readonly error: unknown;
  readonly onTitle: (title: string) => void;
  readonly onSlug: (slug: string) => void;
}

/** What something new is called, and the id that follows from it until somebody writes another. */
export function NameFields({ what, title, slug, error, onTitle, onSlug }: NameFieldsProps) {
  return (
    <div className="two">
      <InputField
        label="Name"
        hint={`What people call this ${what}.`}
        value={title}
        placeholder="Shop"
        onChange={onTitle}
      />
      <InputField
        label="Id"
        hint="Part of its address in the API. It cannot be changed later."
        error={refuses(error, '.name') || refuses(error, 'already exists') ? messageOf(error) : undefined}
        isCode
        required
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,99}"
        title="At most 100 letters, digits, dots, dashes and underscores, a letter or digit first."
        value={slug}
        placeholder="shop"
        onChange={onSlug}
      />
    </div>
  );
}
