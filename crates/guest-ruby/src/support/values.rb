# Values that are rarely met, and exceptions, both ways.
module Fulmar
  module Guest
    module_function

    # Values on their way out

    # A value that is none of the plain types, as [kind, …].
    def convert(value)
      case value
      when Integer, Float then [PLAIN, value]
      when String then [PLAIN, String.new(value)]
      when Hash then [OBJECT, {}.merge!(value)]
      when Array then [LIST, Array.new(value)]
      when Time then [DATE, (value.to_r * 1000).floor.to_f]
      when Rational then [PLAIN, value.denominator == 1 ? value.numerator : value.to_f]
      when NumericArray then [ARRAY, value.code, value.shape, value.data]
      when Struct then [OBJECT, value.to_h]
      else convert_library(value) || [HANDLE, class_name(value)]
      end
    end

    # Of classes that may not be loaded.
    def convert_library(value)
      return [OBJECT, value.to_h] if defined?(::Data) && ::Data.respond_to?(:define) && ::Data === value
      return [SET, value.to_a] if defined?(::Set) && ::Set === value
      return [DECIMAL, decimal_text(value)] if defined?(::BigDecimal) && ::BigDecimal === value
      return [DATE, (value.to_time.to_r * 1000).floor.to_f] if defined?(::DateTime) && ::DateTime === value
      return [PLAIN, value.iso8601] if defined?(::Date) && ::Date === value
      return [OBJECT, value.to_h] if defined?(::OpenStruct) && ::OpenStruct === value
      return [PLAIN, value.to_s] if (defined?(::Pathname) && ::Pathname === value) || (defined?(::URI::Generic) && ::URI::Generic === value)

      [DATE, (value.to_time.to_r * 1000).floor.to_f] if acts_like_time?(value)
    end

    # Rails' times.
    def acts_like_time?(value) = Kernel === value && value.respond_to?(:acts_like_time?) && value.acts_like_time?

    # From so many digits before or behind the point on, with an exponent.
    DIGITS_MAX = 400

    def decimal_text(value)
      value.finite? && value.exponent.abs > DIGITS_MAX ? value.to_s : value.to_s('F')
    end

    def to_unicode(text) = text.encode(Encoding::UTF_8)

    def class_name(value)
      return value.is_a?(Class) ? value.to_s : "module #{value}" if Module === value
      return "function #{value.name}" if Method === value
      return value.name if Loaded === value

      value.class.to_s
    rescue NoMethodError
      'BasicObject'
    end

    # An exception as a hash.
    def describe(error, depth = 0)
      described = {
        class: error.class.to_s,
        message: message_of(error),
        frames: frames_of(error),
        bases: (error.class.ancestors.take_while { |one| one != Exception }.grep(Class) - [error.class]).map(&:to_s)
      }
      described[:reference] = error.reference if error.is_a?(JavaScriptError) && error.reference
      described[:cause] = describe(error.cause, depth + 1) if error.cause && depth < CAUSES_MAX
      code = code_of(error)
      described[:code] = code if code.is_a?(Integer) || code.is_a?(String)
      described
    end

    def code_of(error)
      case error
      when SystemCallError then error.errno
      when SystemExit then error.status
      else error.respond_to?(:code) && error.method(:code).arity.zero? ? error.code : nil
      end
    rescue StandardError
      nil
    end

    def message_of(error)
      as_text(error.message.to_s)
    rescue StandardError
      ''
    end

    # Whatever its encoding says: what Ruby's own code makes is often binary, and holds what somebody may read.
    def as_text(text)
      return text.scrub if text.encoding == Encoding::UTF_8

      plain = text.dup.force_encoding(Encoding::UTF_8)
      return plain if plain.valid_encoding? && [Encoding::BINARY, Encoding::US_ASCII].include?(text.encoding)

      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
    end

    def frames_of(error)
      frames = []
      syntax_frame(error, frames)
      places = error.backtrace_locations
      places = places ? places.lazy.map { |one| [one.absolute_path || one.path, one.lineno, one.label] } : parsed(error.backtrace)
      places.each do |file, line, function|
        break if frames.length >= FRAMES_MAX
        next if file.nil? || file == OWN_FILE || file.start_with?('<internal:')

        frame = { file: as_text(file), line: line || 0, function: as_text(function.to_s) }
        code = line_of(file, line) if line
        frame[:code] = as_text(code) if code && !code.empty?
        frames << frame
      end
      frames
    end

    def parsed(backtrace)
      (backtrace || []).map do |text|
        found = /\A(.+?):(\d+)(?::in [`'](.*)')?\z/.match(text)
        found ? [found[1], found[2].to_i, found[3]] : [text, 0, '']
      end
    end

    def syntax_frame(error, frames)
      return unless error.is_a?(SyntaxError)

      found = /^(.+?):(\d+):/.match(error.message)
      frames << { file: found[1], line: found[2].to_i, function: '<main>' } if found
    end

    # Values on their way in

    def time(milliseconds) = Time.at(Rational(milliseconds) / 1000, in: 'UTC')
    def set_of(items) = Set.new(items)
    def array(code, shape, data) = NumericArray.new(code, shape, data)

    def decimal(text)
      require 'bigdecimal'
      BigDecimal(text)
    end
  end
end
