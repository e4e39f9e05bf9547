import { Button } from './button.tsx';

/** No limit is an empty field. */
export function limitText(limit: number): string {
  return limit === 0 ? '' : String(limit);
}

/** Of a form with limits. */
export function SaveLimits({ isPossible }: { readonly isPossible: boolean }) {
  return (
    <div>
      <Button type="submit" disabled={!isPossible}>
        Save limits
      </Button>
    </div>
  );
}
