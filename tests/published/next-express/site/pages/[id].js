export default function Page({ id }) {
  return <p>{id}</p>;
}
export const getServerSideProps = ({ params }) =>
  params.id === 'none' ? { notFound: true } : params.id === 'crash' ? Promise.reject(new Error('x')) : { props: { id: params.id } };
