# The beginning and the end: output, signals, processes that are made by `fork`.
module Fulmar
  module Guest
    module_function

    # The beginning and the end

    def begin_all
      require 'monitor'
      require 'set'
      @loading = Monitor.new
      ARGV.clear
      # Without a locale, as in many containers, Ruby would take every file for one without umlauts; and the program that
      # asks the system for the locale is not Ruby's own here.
      if Encoding.default_external == Encoding::US_ASCII
        warns, $VERBOSE = $VERBOSE, nil
        Encoding.default_external = Encoding::UTF_8
        $VERBOSE = warns
      end
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
