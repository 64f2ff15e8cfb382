# frozen_string_literal: true

# What of the Ruby guest is written in Ruby: files and libraries, members, values that are rarely met, exceptions.
# Run once when the guest starts; the functions of `functions.rs` are added to `Fulmar::Guest`.
#
# What JavaScript has of Ruby:
#
# - A file (`ruby.import('./text.rb')`) is required once, by its absolute path, as `require` would: its constants and
#   methods are where every Ruby file's are. Its members are, in this order: methods that it defines at its top level,
#   constants that it defines or has loaded, and what the module has that is named after it (`text_tools.rb`:
#   `TextTools`): functions (`def self.x`, `module_function`) and constants.
# - A library (`ruby.import('kramdown')`) is required; its members are constants, those of others included.
# - A name is a public method; with a capital and without arguments it is a constant first, as in Ruby. Of a hash it is
#   also a key.
# - A member that is awaited is what the method returns that can be called without arguments (so is `object.value`
#   in Ruby); one that needs arguments is given as a Method object.
# - `kwargs({ … })` are keyword arguments, `kwargs({ '&': f })` is a block.
# - Objects of JavaScript's that are values become hashes with texts as keys. Bytes are binary texts, both ways: so is
#   what `inspect` of some classes gives, of which `text(object)` makes a text.
module Fulmar
  # What a function of JavaScript's has thrown.
  class JavaScriptError < StandardError
    attr_reader :name, :stack, :reference

    def initialize(message = '', name: 'Error', stack: nil, reference: nil)
      super(name == 'Error' ? message : "#{name}: #{message}")
      @name = name
      @stack = stack
      @reference = reference
    end
  end

  # Nobody waits for this call any more: its time is over, or its signal was aborted.
  class Cancelled < Exception # rubocop:disable Lint/InheritException
    def initialize(message = 'nobody waits for this call any more')
      super
    end
  end

  # An object of JavaScript's, which comes back to it as the same.
  class JavaScriptObject
    def inspect = "#<object of JavaScript's>"
    alias to_s inspect
  end

  # A function of JavaScript's. Its result is waited for, also where that is a promise.
  class JavaScriptFunction < JavaScriptObject
    def call(*arguments, **named)
      arguments.push(named.transform_keys(&:to_s)) unless named.empty?
      returned, value = Guest.call_javascript(self, arguments)
      returned ? value : raise(Guest.thrown(value))
    end
    alias [] call
    alias === call
    alias yield call

    def to_proc = proc { |*arguments| call(*arguments) }
    def arity = -1
    def inspect = "#<function of JavaScript's>"
    alias to_s inspect
  end

  # Numbers in one form, with a shape, as JavaScript's typed arrays are.
  class NumericArray
    include Enumerable

    # Formats of `String#unpack` by the code of the elements, and their bytes (`crates/guest/src/wire.rs`).
    FORMATS = %w[c C s< S< l< L< q< Q< e E C].freeze
    BYTES = [1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1].freeze
    NAMES = %w[int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 bool].freeze

    attr_reader :shape, :data, :code

    def initialize(code, shape, data)
      @code = code
      @shape = shape
      @data = data
    end

    # Of numbers, all of the type of that name.
    def self.of(name, numbers, shape = nil)
      code = NAMES.index(name.to_s) or raise ArgumentError, "#{name} is none of #{NAMES.join(', ')}"
      shape ||= [numbers.length]
      raise ArgumentError, "#{numbers.length} numbers have not the shape #{shape}" if shape.inject(1, :*) != numbers.length

      new(code, shape, numbers.pack("#{FORMATS[code]}*"))
    end

    def type = NAMES[@code]
    def length = @shape.inject(1, :*)
    alias size length

    # Of all elements, one after the other.
    def [](index)
      index += length if index.negative?
      @data.unpack1(FORMATS[@code], offset: index * BYTES[@code]) if index >= 0 && index < length
    end

    def each(&block) = flat.each(&block)

    # Lists of lists, where it has more than one dimension.
    def to_a
      @shape.drop(1).reverse.inject(flat) { |items, count| items.each_slice(count).to_a }
    end

    def ==(other) = other.is_a?(NumericArray) && [code, shape, data] == [other.code, other.shape, other.data]
    def inspect = "#<Fulmar::NumericArray #{type} #{shape.inspect}>"

    private

    def flat = @data.unpack("#{FORMATS[@code]}*")
  end

  # What an import gives.
  class Loaded
    attr_reader :name, :constants, :functions

    # `functions` by name: whose method it is.
    def initialize(name, constants, functions, main)
      @name = name
      @constants = constants
      @functions = functions
      @main = main
    end

    def main_module = @main

    # Whose method that is; its module may have got some since.
    def receiver_of(name)
      @functions[name] || (@main if @main && @main.respond_to?(name) && !@main.class.method_defined?(name))
    end

    def inspect = "#<#{@name}>"
    alias to_s inspect
  end

  # Files whose texts an executable carries: loaded by path, as if they were there.
  module Embedded
    @texts = {}
    @loaded = {}

    module_function

    def add(texts)
      hook if @texts.empty?
      @texts.update(texts)
    end

    def text(file) = @texts[file]

    # As `require` does: once, with the file's own names at its top level.
    def load(file)
      return false if @loaded[file]

      @loaded[file] = true
      RubyVM::InstructionSequence.compile(@texts.fetch(file), file, file).eval
      true
    rescue Exception # rubocop:disable Lint/RescueException
      @loaded.delete(file)
      raise
    end

    # The embedded file that is meant, if it is one.
    def found(path) = [path, "#{path}.rb"].find { |one| @texts.key?(one) }

    # Only where something is embedded: nobody else's `require` passes through here.
    def hook
      Kernel.prepend(Module.new do
        define_method(:require) do |path|
          file = Embedded.found(path.to_s)
          file ? Embedded.load(file) : super(path)
        end
        define_method(:require_relative) do |path|
          from = caller_locations(1, 1).first.absolute_path or raise LoadError, 'cannot infer basepath'
          require(File.expand_path(path, File.dirname(from)))
        end
        private :require, :require_relative
      end)
    end
  end

  # One value after the other, on a thread of its own: whichever thread asks for the next one, the code that gives it
  # runs on one, and may wait.
  class Iterator
    # Iterations that may be open.
    OPEN_MAX = 1000
    OPEN = ThreadGroup.new
    class Stopped < Exception; end # rubocop:disable Lint/InheritException

    def initialize(source)
      @wanted = Thread::Queue.new
      @given = Thread::Queue.new
      @source = source
      ObjectSpace.define_finalizer(self, self.class.closing(@wanted))
    end

    def self.closing(wanted) = proc { wanted.close }

    # In a list, or an empty one at the end.
    def following
      return [] if @wanted.closed?

      @thread ||= self.class.run(@source, @wanted, @given)
      @wanted << true
      kind, value = @given.pop
      @wanted.close unless kind == :value
      raise value if kind == :error

      kind == :value ? [value] : []
    rescue Cancelled => error
      @thread&.raise(error)
      raise
    end

    # No further value is asked for: what the code would do at its end is done.
    def finish
      @wanted.close
      @thread&.join
      kind, value = @given.empty? ? nil : @given.pop
      raise value if kind == :error
    end

    def self.run(source, wanted, given)
      raise ThreadError, "#{OPEN_MAX} iterations are open: read some to their ends" if OPEN.list.length >= OPEN_MAX

      thread = Thread.new do
        Thread.current.report_on_exception = false
        next given << [:end] unless wanted.pop

        source.each do |*values|
          given << [:value, values.length > 1 ? values : values.first]
          raise Stopped unless wanted.pop
        end
        given << [:end]
      rescue Stopped
        given << [:end]
      rescue Exception => error # rubocop:disable Lint/RescueException
        given << [:error, error]
      end
      OPEN.add(thread)
      thread
    end
  end

  # What the guest itself calls.
  module Guest # rubocop:disable Metrics/ModuleLength
    OWN_FILE = '<fulmar>'
    MAIN = TOPLEVEL_BINDING.receiver
    # A scope that sees none of what code at the top level has as its own.
    CLEAN = TOPLEVEL_BINDING.eval('lambda { binding }')

    # Kinds of what `convert` returns first.
    HANDLE, DATE, DECIMAL, OBJECT, LIST, SET, ARRAY, PLAIN = *0..7
    # What an object that stays here can do, as bits.
    CALLABLE, CLASS, ITERABLE = 1, 2, 4

    PROCESS = Process.pid
    FRAMES_MAX = 100
    CAUSES_MAX = 8

    @loaded = {}
    @loading = Monitor.new if defined?(Monitor)
    @evaluated = 0
    @sources = {}
    @at_exit = []

    module_function

    def own(name) = Fulmar.const_get(name)
    def value_error(text) = ArgumentError.new(text)
    def cancelled(text) = Cancelled.new(text)
    def root = MAIN

    def thrown(value)
      return JavaScriptError.new(value.to_s) unless value.is_a?(Hash)

      JavaScriptError.new(value['message'].to_s, name: value['name'] || 'Error', stack: value['stack'], reference: value['reference'])
    end

    # Files and libraries

    # `options['sources']`: texts by path, of a file and those beside it that an executable carries.
    def import(specifier, options)
      options = {} unless options.is_a?(Hash)
      forget = options['forget']
      return @loading.synchronize { forget_below(forget['folder'], forget['files']) } if forget

      reload(specifier) if options['reload']
      Embedded.add(options['sources']) if options['sources']
      @loading.synchronize { @loaded[specifier] ||= specifier.start_with?('/') ? load_file(specifier) : load_library(specifier) }
    end

    def reload(specifier)
      raise LoadError, "#{specifier} is not loaded again: that is done for files of the application" unless specifier.start_with?('/')

      @loading.synchronize { forget_below(File.dirname(specifier), nil) }
    end

    # Files below a folder are loaded anew with their next import, if one of `files` is loaded: those of them that are, or all.
    # Constants that they have made are gone, so that classes begin anew; objects of the old ones keep theirs.
    def forget_below(folder, files)
      folder = "#{File.realpath(folder)}/"
      loaded = $LOADED_FEATURES.select { |one| one.start_with?(folder) && one.end_with?('.rb') && !one.include?('/gems/') && !one.include?('/vendor/') }
      known = files.nil? ? loaded : loaded & files
      return [] if known.empty?

      Object.constants.each do |name|
        next if Object.autoload?(name)

        place, = Object.const_source_location(name, false)
        Object.send(:remove_const, name) if !place.nil? && loaded.include?(File.expand_path(place))
      end
      $LOADED_FEATURES.reject! { |one| loaded.include?(one) }
      @loaded.delete_if { |name, _| name.start_with?('/') && loaded.include?(real_path(name)) }
      known
    end

    def real_path(name) = File.exist?(name) ? File.realpath(name) : File.exist?("#{name}.rb") ? File.realpath("#{name}.rb") : name

    def load_file(path)
      file = [path, "#{path}.rb"].find { |one| Embedded.text(one) || File.file?(one) }
      raise LoadError, "no such file: #{path}" if file.nil?

      before = Object.constants
      if Embedded.text(file)
        Embedded.load(file)
      else
        file = File.realpath(file)
        file.end_with?('.rb', '.so') ? require(file) : load_once(file)
      end
      fresh = Object.constants - before
      own = Object.constants.select { |name| fresh.include?(name) || defined_in?(Object, name, file) }
      main = module_of(File.basename(file, '.*'))
      Loaded.new(File.basename(file), constants_of(own), functions_of(file, main), main)
    end

    def load_once(file)
      return if $LOADED_FEATURES.include?(file)

      load(file)
      $LOADED_FEATURES << file
    end

    def load_library(name)
      before = Object.constants
      require name
      fresh = Object.constants - before
      main = module_of(name)
      fresh = [main.name.to_sym] if main
      Loaded.new(name, constants_of(fresh), functions_of(nil, main), main)
    end

    def defined_in?(scope, name, file)
      place, = scope.const_source_location(name, false)
      !place.nil? && File.expand_path(place) == file
    end

    def constants_of(names) = names.to_h { |name| [name.to_s, Object] }

    # The module that is named after a file or a library, if there is one.
    def module_of(name)
      camel = name.tr('-/', '__').split('_').map { |part| part[0].to_s.upcase + part[1..].to_s }.join
      wanted = [camel, camel.downcase]
      found = Object.constants.find { |one| one.to_s == camel } || Object.constants.find { |one| wanted.include?(one.to_s.downcase) }
      found = found && !Object.autoload?(found) ? Object.const_get(found) : nil
      found if found.is_a?(Module)
    end

    # By name: methods of the top level, which every object has and no other is to see, and of the module.
    def functions_of(file, main)
      functions = {}
      unless main.nil?
        main.singleton_methods.each { |name| functions[name.to_s] = main }
      end
      return functions if file.nil?

      (Object.private_instance_methods(false) + Object.public_instance_methods(false)).each do |name|
        place, = Object.instance_method(name).source_location
        functions[name.to_s] = MAIN if !place.nil? && File.expand_path(place) == file
      end
      MAIN.singleton_methods(false).each do |name|
        place, = MAIN.method(name).source_location
        functions[name.to_s] = MAIN if !place.nil? && File.expand_path(place) == file
      end
      functions
    end

    # Code

    # The value of the last expression; `options['locals']` are names of the code's own.
    def evaluate(code, name, options)
      name = "<eval #{@evaluated += 1}>" if name.empty?
      remember_source(name, code)
      locals = options.is_a?(Hash) ? options['locals'] : nil
      scope = TOPLEVEL_BINDING
      unless locals.nil?
        scope = CLEAN.call
        locals.each { |local, value| scope.local_variable_set(local.to_sym, value) }
      end
      value = scope.eval(code, name, 1)
      options.is_a?(Hash) && options['statements'] ? nil : value
    end

    SOURCES_MAX = 64
    SOURCE_BYTES_MAX = 1 << 20

    def remember_source(name, code)
      @sources.shift if @sources.size >= SOURCES_MAX
      @sources[name] = code.bytesize > SOURCE_BYTES_MAX ? [] : code.lines
    end

    # Line of a file or of code that was evaluated, for traces.
    def line_of(file, number)
      remember_source(file, Embedded.text(file)) if Embedded.text(file) && !@sources.key?(file)
      unless @sources.key?(file)
        readable = File.file?(file) && File.size(file) <= SOURCE_BYTES_MAX
        remember_source(file, readable ? File.read(file, encoding: 'UTF-8').scrub : '')
      end
      line = @sources[file]&.[](number - 1)
      line&.strip
    rescue SystemCallError
      nil
    end

    def describe_guest
      {
        language: 'ruby',
        version: RUBY_VERSION,
        implementation: RUBY_ENGINE,
        executable: as_text(RbConfig.ruby),
        prefix: as_text(RbConfig::CONFIG['prefix']),
        path: $LOAD_PATH.map { |folder| as_text(folder.to_s) },
        platform: RUBY_PLATFORM,
        hasGlobalLock: true
      }
    end

    # Members

    # What stands behind a name of a value, without arguments.
    def step(target, name)
      case target
      when Loaded then step_loaded(target, name)
      when Module
        constant = constant_of(target, name)
        constant.nil? ? read(target, name) : constant.first
      else
        return step_main(name) if MAIN.equal?(target)

        target.is_a?(Hash) && !target.respond_to?(name) ? key_of(target, name) : read(target, name)
      end
    rescue NoMethodError => error
      raise unless error.receiver.equal?(target) && indexed?(target, name)

      target[Integer(name, 10)]
    end

    def indexed?(target, name) = name.match?(/\A\d+\z/) && target.respond_to?(:[])

    def key_of(hash, name)
      return hash[name] if hash.key?(name)
      return hash[name.to_sym] if hash.key?(name.to_sym)

      hash.public_send(name)
    end

    def step_loaded(loaded, name)
      receiver = loaded.receiver_of(name)
      return read(receiver, name, true) if receiver

      constant = constant_of(loaded, name)
      constant.nil? ? missing(loaded, name) : constant.first
    end

    def step_main(name)
      constant = constant_of(Object, name)
      return constant.first unless constant.nil?
      return TOPLEVEL_BINDING.local_variable_get(name) if local?(name)

      read(MAIN, name, true)
    end

    def local?(name) = name.match?(/\A[a-z_]\w*\z/) && TOPLEVEL_BINDING.local_variable_defined?(name)

    # In a list, since it may be nil; nil: there is none.
    def constant_of(target, name)
      return nil unless name.match?(/\A[[:upper:]]/)

      scopes = target.is_a?(Loaded) ? loaded_scopes(target, name) : [target]
      scopes.each { |scope| return [scope.const_get(name, scope.equal?(Object))] if scope.const_defined?(name, scope.equal?(Object)) }
      inherited = target.is_a?(Class) && target.ancestors.find { |one| one.const_defined?(name, false) unless one.equal?(Object) }
      inherited ? [inherited.const_get(name, false)] : nil
    rescue NameError
      nil
    end

    def loaded_scopes(loaded, name)
      file = loaded.name.end_with?('.rb')
      [loaded.main_module, !file || loaded.constants.key?(name) ? Object : nil].compact
    end

    # The value of a method without arguments; the method itself, where it needs some.
    def read(target, name, is_private = false)
      method = is_private ? target.method(name) : target.public_method(name)
      needs_arguments = method.arity.positive? || (method.arity < -1)
      needs_arguments ||= method.parameters.any? { |kind, _| kind == :keyreq }
      needs_arguments ? method : method.call
    rescue NameError
      raise if method

      # `method_missing` may know it, and what Ruby says about it is said of the call.
      is_private ? target.send(name) : target.public_send(name)
    end

    def missing(target, name)
      raise NoMethodError.new("#{target} has no member #{name}", name, receiver: target)
    end

    # What is done with the end of a path

    # Calls a member, or the value itself where there is no name. `named`: keyword arguments, and '&' for a block.
    def invoke(target, name, arguments, named)
      named = named.nil? ? {} : named
      block = named.delete(:&)
      return call_value(target, arguments, named, block) if name.nil?

      receiver = target.is_a?(Loaded) ? target.receiver_of(name) : nil
      return receiver.__send__(name, *arguments, **named, &block) if receiver

      is_main = MAIN.equal?(target)
      if target.is_a?(Loaded) || ((target.is_a?(Module) || is_main) && !target.respond_to?(name, is_main))
        constant = constant_of(is_main ? Object : target, name)
        return call_value(constant.first, arguments, named, block) unless constant.nil?
        return missing(target, name) if target.is_a?(Loaded)
      end
      return MAIN.__send__(name, *arguments, **named, &block) if is_main
      if target.is_a?(Hash) && !target.respond_to?(name) && (target.key?(name) || target.key?(name.to_sym))
        return call_value(key_of(target, name), arguments, named, block)
      end

      target.public_send(name, *arguments, **named, &block)
    end

    # As in other languages, a class that is called makes an object.
    def call_value(value, arguments, named, block)
      return value.new(*arguments, **named, &block) if value.is_a?(Class)

      value.call(*arguments, **named, &block)
    end

    def create(target, arguments, named)
      named = named.nil? ? {} : named
      block = named.delete(:&)
      raise TypeError, "#{class_name(target)} is no class: new makes objects of classes" unless target.is_a?(Class) || target.respond_to?(:new)

      target.new(*arguments, **named, &block)
    end

    def iterate(value)
      raise TypeError, "#{class_name(value)} gives nothing one after the other: it has no method each" unless value.respond_to?(:each)

      Iterator.new(value)
    end

    def following(iterator) = iterator.following
    def finish(iterator) = iterator.finish

    def names(target)
      case target
      when Loaded
        all = target.functions.keys + target.constants.keys
        all += target.main_module.constants(false).map(&:to_s) if target.main_module
        all.uniq
      when Module then (target.constants(false) + target.singleton_methods).map(&:to_s)
      else
        all = MAIN.equal?(target) ? Object.constants : target.public_methods - Object.instance_methods
        all.map(&:to_s).grep(/\A\w+[?!]?\z/)
      end
    end

    def text_of(value) = as_text(value.to_s)

    def assign(target, name, value)
      if target.is_a?(Hash)
        target[target.key?(name.to_sym) ? name.to_sym : name] = value
      elsif target.is_a?(Module) && name.match?(/\A[[:upper:]]/)
        target.const_set(name, value)
      else
        receiver = target.is_a?(Loaded) && target.main_module ? target.main_module : target
        receiver.public_send("#{name}=", value)
      end
      nil
    end

    def remove(target, name)
      case target
      when Hash then target.delete(target.key?(name) ? name : name.to_sym)
      when Module then target.send(:remove_const, name)
      else
        return target.delete_field(name) if target.respond_to?(:delete_field)

        raise TypeError, "#{class_name(target)} has no members that can be removed"
      end
      nil
    end

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
      else convert_library(value) || [HANDLE, abilities(value), class_name(value)]
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

    def abilities(value)
      (value.respond_to?(:call) ? CALLABLE : 0) | (Class === value ? CLASS : 0) | (value.respond_to?(:each) ? ITERABLE : 0)
    rescue NoMethodError
      0
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

    # The beginning and the end

    def begin_all
      require 'monitor'
      require 'set'
      @loading = Monitor.new
      ARGV.clear
      # Without a locale, as in many containers, Ruby would take every file for one without umlauts; and the program that
      # asks the system for the locale is not Ruby's own here.
      Encoding.default_external = Encoding::UTF_8 if Encoding.default_external == Encoding::US_ASCII
      $stdout.sync = true
      $stderr.sync = true
      exits = @at_exit
      # The host ends the process; what was to be done then is done by `finish_all`.
      Kernel.prepend(Module.new do
        define_method(:at_exit) do |&block|
          raise ArgumentError, 'called without block' if block.nil?

          exits << block
          block
        end
        private :at_exit
        define_method(:trap) { |*given, &block| Guest.child? ? super(*given, &block) : Guest.leave_signal(given[0], given[1] || block) }
        private :trap
        define_method(:fork) { |&block| block ? super(&Guest.child(block)) : Guest.made(super()) }
        private :fork
      end)
      Signal.singleton_class.prepend(Module.new do
        define_method(:trap) { |*given, &block| Guest.child? ? super(*given, &block) : Guest.leave_signal(given[0], given[1] || block) }
      end)
      [Kernel, Process].each do |owner|
        owner.singleton_class.prepend(Module.new do
          define_method(:fork) { |&block| block ? super(&Guest.child(block)) : Guest.made(super()) }
          next unless owner.equal?(Kernel)

          define_method(:at_exit) { |&block| MAIN.send(:at_exit, &block) }
          define_method(:trap) { |*given, &block| Guest.child? ? super(*given, &block) : Guest.leave_signal(given[0], given[1] || block) }
        end)
      end
    end

    # Signals are JavaScript's: what libraries install for themselves is not. `EXIT` is none.
    def leave_signal(signal, command)
      name = signal.is_a?(Integer) ? Signal.signame(signal).to_s : signal.to_s.delete_prefix('SIG')
      if name == 'EXIT'
        MAIN.send(:at_exit) { command.call(0) } if command.respond_to?(:call)
        return nil
      end
      raise ArgumentError, "unsupported signal `SIG#{name}'" unless Signal.list.key?(name)

      warn("signal #{name} stays with JavaScript: process.on('SIG#{name}', …)", uplevel: 1)
      'DEFAULT'
    end

    def child? = Process.pid != PROCESS

    # What `fork` gives without a block: in the child it is nil.
    def made(pid)
      leave_host if pid.nil?
      pid
    end

    # What runs in a child that was made by `fork` with a block: it ends without what the host would do.
    def child(block)
      proc do
        error = nil
        begin
          leave_host
          block.call
        rescue Exception => error # rubocop:disable Lint/RescueException, Lint/UselessAssignment
          nil
        end
        Process.exit!(leave_child(error))
      end
    end

    # The end of a child: its status.
    def leave_child(error)
      finish_all
      return 0 if error.nil?
      return error.status if error.is_a?(SystemExit)

      $stderr.write(error.full_message(highlight: false))
      1
    end

    def finish_all
      while (block = @at_exit.pop)
        begin
          block.call
        rescue SystemExit
          nil
        rescue Exception => error # rubocop:disable Lint/RescueException
          $stderr.write(error.full_message(highlight: false))
        end
      end
      ObjectSpace.each_object(Tempfile).to_a.each(&:close!) if defined?(Tempfile)
      [$stdout, $stderr].each { |stream| stream.flush if stream.respond_to?(:flush) }
      nil
    end

    self
  end
end
Fulmar::Guest
