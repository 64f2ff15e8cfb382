# frozen_string_literal: true

# What a process does about Ruby when it ends.
require 'rbconfig'
require 'stringio'

at_exit { puts 'behind all' }

module End
  module_function

  def write(text)
    print text
  end

  def spin
    loop {} # rubocop:disable Lint/EmptyBlock
  end

  def sleep(seconds)
    Kernel.sleep(seconds)
    'slept'
  end

  def start_thread
    Thread.new { spin }
    nil
  end

  # A program, and a child that is made of this process.
  def fork
    reading, writing = IO.pipe
    pid = Process.fork { writing.write('42') }
    Process.wait(pid)
    writing.close
    found = reading.read
    ran = IO.popen([RbConfig.ruby, '-e', 'print 6 * 7'], &:read)
    raise "#{found} and #{ran} are not the same" unless found == ran && $?.success? # rubocop:disable Style/SpecialGlobalVars

    ran
  end

  def take_signal
    was = $stderr
    $stderr = StringIO.new
    trap('INT') { puts 'taken' }
    Signal.trap(:TERM) { puts 'taken' }
    trap('EXIT') { puts 'behind the trap' }
    $stderr.string
  ensure
    $stderr = was
  end

  def count(numbers) = numbers.times.sum
end
