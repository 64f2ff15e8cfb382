/** GET /health */
export const GET = () => ({ status: 'ok' });
