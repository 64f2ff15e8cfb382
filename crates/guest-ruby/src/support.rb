# frozen_string_literal: true

# What of the Ruby guest is written in Ruby: files and libraries, members, values that are rarely met, exceptions.
# Run once when the guest starts, with the files in `support`, in the order that `language.rs` has them; the functions of
# `functions.rs` are added to `Fulmar::Guest`. Here are the classes.
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
end
