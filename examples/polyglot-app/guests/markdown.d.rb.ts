/** What of `markdown.rb` is called here: written by hand, since Ruby's files say no types. */
declare const markdown: {
  /** @throws GuestError of class `Markdown::TooDeep` */
  render(source: string): Promise<{ readonly html: string; readonly text: string }>;
};
export default markdown;
