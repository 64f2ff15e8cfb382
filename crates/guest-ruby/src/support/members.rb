# Members of objects, and what is done with the end of a path.
module Fulmar
  module Guest
    module_function

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
  end
end
