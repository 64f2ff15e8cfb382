export default function Page({ at }) {
  return <p>{at}</p>;
}
// Longer than any build is kept: a page that is made anew in the midst of a comparison is a difference.
export const getStaticProps = () => ({ props: { at: 'built' }, revalidate: 31_536_000 });
