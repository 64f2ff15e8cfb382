export default function Page({ at }) {
  return <p>{at}</p>;
}
export const getStaticProps = () => ({ props: { at: 'built' }, revalidate: 60 });
