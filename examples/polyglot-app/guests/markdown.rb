# frozen_string_literal: true

# Markdown of people nobody knows, by kramdown: as HTML that can stand in a page, and as the text that is left without
# the marks. HTML, scripts and attributes in it are not taken over: what an element is not allowed to be, is its text.
require 'kramdown'

# What JavaScript imports: the module that is named after the file.
module Markdown
  # Deeper than anybody quotes; each level makes the HTML longer by all that is in it.
  DEPTH_MAX = 20

  OPTIONS = { auto_ids: false, syntax_highlighter: nil, math_engine: nil, parse_block_html: false }.freeze

  # Kinds of elements that stay; `blank` and `text` are what lies between.
  KEPT = %i[root blank text p br hr header blockquote ul ol li codeblock codespan em strong a entity smart_quote typographic_sym].freeze
  BLOCKS = %i[p header blockquote li codeblock hr br blank].freeze
  LINK = %r{\A(?:https?://|mailto:)}i

  class TooDeep < StandardError; end

  module_function

  # `html` and `text` of a source.
  def render(source)
    document = Kramdown::Document.new(source, **OPTIONS)
    clean(document.root, 0)
    { html: document.to_html.strip, text: text_of(document.root).gsub(/[ \t]+/, ' ').gsub(/\s*\n\s*/, "\n").strip }
  end

  def clean(element, depth)
    raise TooDeep, "more than #{DEPTH_MAX} levels are in each other" if depth > DEPTH_MAX

    element.children.map! { |child| allowed(child) }
    element.children.each { |child| clean(child, depth + 1) }
  end

  def allowed(element)
    return plain(element) unless KEPT.include?(element.type)

    address = element.attr['href'].to_s
    element.attr.clear
    return element unless element.type == :a
    return plain(element) unless LINK.match?(address)

    element.attr.update('href' => address, 'rel' => 'nofollow ugc')
    element
  end

  # What it says, and not what it is.
  def plain(element)
    text = Kramdown::Element.new(:text, text_of(element))
    return text unless element.block?

    Kramdown::Element.new(:p).tap { |paragraph| paragraph.children << text }
  end

  # Without recursion: this one also meets what is too deep.
  def text_of(root)
    parts = []
    waiting = [root]
    while (element = waiting.pop)
      parts << (element.is_a?(String) ? element : own_text(element))
      next if element.is_a?(String)

      waiting << "\n" if BLOCKS.include?(element.type)
      waiting.concat(element.children.reverse)
    end
    parts.join
  end

  def own_text(element)
    case element.type
    when :text, :codespan, :codeblock, :math, :raw then element.value
    when :img then element.attr['alt'].to_s
    when :entity then element.value.char
    when :smart_quote then element.value.to_s.start_with?('l') ? '"' : quote(element.value)
    when :typographic_sym then { mdash: '—', ndash: '–', hellip: '…' }.fetch(element.value, '"')
    else ''
    end
  end

  def quote(name) = name == :rsquo ? "'" : '"'
end
