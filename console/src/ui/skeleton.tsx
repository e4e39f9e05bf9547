/** The place of what is being read. */
export function Skeleton() {
  return (
    <div className="card card-body stack-tight" role="status" aria-label="Loading">
      {['62%', '88%', '74%', '40%'].map((width) => (
        <div key={width} className="skeleton" style={{ width }} />
      ))}
    </div>
  );
}
