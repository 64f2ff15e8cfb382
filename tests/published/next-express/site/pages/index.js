export default function Page({ query }) {
  return <p>Grüße {JSON.stringify(query)}</p>;
}
export const getServerSideProps = ({ query, res }) => {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Set-Cookie', ['a=1', 'b=2']);
  return { props: { query } };
};
