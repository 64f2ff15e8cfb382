// What the API shows of a user, a profile, an article and a comment.
export const toUser = ({ email, username, bio, image }, token) => ({ email, token, username, bio, image });

export const toProfile = ({ username, bio, image, following }) => ({ username, bio, image, following });

/** A list leaves the articles' texts out. */
export const toListedArticle = (article) => ({
  slug: article.slug,
  title: article.title,
  description: article.description,
  tagList: article.tagList,
  createdAt: article.createdAt,
  updatedAt: article.updatedAt,
  favorited: article.favorited,
  favoritesCount: article.favoritesCount,
  author: toProfile(article.author),
});

export const toArticle = (article) => {
  const { slug, title, description, ...rest } = toListedArticle(article);
  return { slug, title, description, body: article.body, ...rest };
};

export const toComment = ({ id, createdAt, updatedAt, body, author }) => ({ id, createdAt, updatedAt, body, author: toProfile(author) });
