export const load = ({ url, cookies, setHeaders }) => {
  cookies.set('a', 'ü', { path: '/' });
  setHeaders({ 'cache-control': 'no-store' });
  return { query: Object.fromEntries(url.searchParams), late: Promise.resolve('late') };
};
