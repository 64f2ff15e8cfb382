import { Suspense } from 'react';
export const dynamic = 'force-dynamic';
async function Late() {
  await new Promise((done) => setTimeout(done, 30));
  return <p>late</p>;
}
export default function Page() {
  return (
    <Suspense fallback={<p>wait</p>}>
      <Late />
    </Suspense>
  );
}
