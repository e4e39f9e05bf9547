/** The `/` key leads here. */
export function Search({ label, onChange }: { readonly label: string; readonly onChange: (text: string) => void }) {
  return (
    <div className="search">
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={`${label} …`}
        onChange={(event) => onChange(event.currentTarget.value.trim().toLowerCase())}
      />
    </div>
  );
}
