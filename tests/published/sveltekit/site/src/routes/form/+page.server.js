export const actions = {
  default: async ({ request }) => {
    const data = await request.formData();
    const file = data.get('file');
    return { a: data.get('a'), size: file?.size ?? 0 };
  },
};
